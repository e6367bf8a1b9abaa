import {
  type APIServiceBinding,
  type APIServiceExport,
  apiVersion,
  bindingOwnerReference,
  type CrdVersion,
  crdOfExport,
  type CustomResourceDefinition,
} from '@klutch/api';

/** For tests: the name of the API in all of them. */
export const apiName = 'widgets.example.org';

export function sampleBinding(metadata: Partial<APIServiceBinding['metadata']> = {}): APIServiceBinding {
  return {
    apiVersion,
    kind: 'APIServiceBinding',
    metadata: { name: apiName, namespace: 'klutch-bind', uid: 'binding-uid', ...metadata },
    spec: { kubeconfigSecretRef: { name: 'kubeconfig', namespace: 'klutch-bind', key: 'kubeconfig' } },
  };
}

export function sampleVersion(version: Partial<CrdVersion> = {}): APIServiceExport['spec']['versions'][number] {
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, plan: { type: 'string' } } } },
  };
  const schema = { openAPIV3Schema: version.schema?.openAPIV3Schema ?? openAPIV3Schema };
  return { name: 'v1', served: true, storage: true, subresources: { status: {} }, ...version, schema };
}

export function sampleExport(spec: Partial<APIServiceExport['spec']> = {}): APIServiceExport {
  return {
    apiVersion,
    kind: 'APIServiceExport',
    metadata: { name: apiName, namespace: 'tenant', uid: 'export-uid', resourceVersion: '1' },
    spec: {
      group: 'example.org',
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      informerScope: 'Namespaced',
      versions: [sampleVersion()],
      ...spec,
    },
  };
}

/** The CRD of an export as an app cluster serves it, made for the binding and without further marks. */
export function servedCrd(
  apiExport: APIServiceExport = sampleExport(),
  metadata: Partial<CustomResourceDefinition['metadata']> = {},
): CustomResourceDefinition {
  const { spec, ...crd } = crdOfExport(apiExport);
  const names = { singular: 'widget', listKind: 'WidgetList', ...spec.names };
  return {
    ...crd,
    metadata: {
      name: apiName,
      uid: 'crd-uid',
      resourceVersion: '5',
      ownerReferences: [bindingOwnerReference(sampleBinding())],
      ...metadata,
    },
    spec: { ...spec, names, conversion: { strategy: 'None' } },
    status: {
      acceptedNames: names,
      storedVersions: ['v1'],
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
        { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'accepted' },
      ],
    },
  };
}
