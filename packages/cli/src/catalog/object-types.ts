import { CustomResourceDefinitions } from '@klutch/api';
import { isKubeError, type KubeClient, type ObjectRef, type ResourceType, type UnknownObject } from '@klutch/kube';

const crossplane = 'apiextensions.crossplane.io';

export const Definitions = type(crossplane, 'v1', 'compositeresourcedefinitions', 'CompositeResourceDefinition', false);
export const Compositions = type(crossplane, 'v1', 'compositions', 'Composition', false);

/** Where an object of a catalogue belongs: kinds of providers have regular plurals and belong to no namespace. */
export function typeOfObject({ apiVersion, kind, metadata }: UnknownObject): ResourceType {
  if (kind === CustomResourceDefinitions.kind) return { ...CustomResourceDefinitions } as ResourceType;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return type(group, version, `${kind.toLowerCase()}s`, kind, metadata.namespace !== undefined);
}

/** Identifies an object within its type. */
export function refTo({ metadata: { name = '', namespace } }: UnknownObject): ObjectRef {
  return namespace === undefined ? { name } : { name, namespace };
}

/** Whether a control plane knows a type. */
export async function isServed(client: KubeClient, type: ResourceType, signal: AbortSignal): Promise<boolean> {
  try {
    await client.resource(type).list({ limit: 1, signal });
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_NOT_FOUND')) return false;
    throw error;
  }
}

function type(group: string, version: string, plural: string, kind: string, namespaced: boolean): ResourceType {
  return { group, version, plural, kind, namespaced };
}
