import { annotations, apiServiceBindingCrd, appCluster as names, bundleNames, finalizers, labels } from '@klutch/api';
import type { UnknownObject } from '@klutch/kube';

/**
 * Pure: what keeps the konnector, its rights, its namespace and the CRD of bindings while something is bound. Whoever deletes
 * the file deletes the bindings with it; the konnector ends them and then removes the finalizer here. See decision record 22.
 */
export function guardManifests(id: string): readonly UnknownObject[] {
  const { guard } = bundleNames(id);
  const metadata = { name: guard, labels: { [labels.enrolment]: id }, finalizers: [finalizers.guard] };
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: guarded(bundleNames(id).role) },
        matchConditions: [{ name: 'namespace-of-the-konnector', expression: isHere }],
        validations: [{ expression: 'false', message, reason: 'Forbidden' }],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: guard, validationActions: ['Deny'] },
    },
  ];
}

const apiVersion = 'admissionregistration.k8s.io/v1';

/** Requests for cluster-scoped objects name no namespace; those for a Namespace name itself. */
const isHere = `!has(request.namespace) || request.namespace in ['', '${names.namespace}']`;

const message =
  `The konnector is needed until everything that it bound has ended as annotation ${annotations.onUnbind} of the ` +
  'bindings says. Delete the bindings and this policy, which goes when they have ended; then delete this again.';

function guarded(role: string): readonly object[] {
  const rbac = 'rbac.authorization.k8s.io';
  return [
    rule('', ['namespaces'], names.namespace),
    rule('', ['serviceaccounts'], names.konnector),
    rule('apps', ['deployments'], names.konnector),
    rule(rbac, ['roles', 'rolebindings'], names.konnector),
    rule(rbac, ['clusterroles', 'clusterrolebindings'], role),
    rule('apiextensions.k8s.io', ['customresourcedefinitions'], apiServiceBindingCrd.metadata.name ?? ''),
  ];
}

function rule(group: string, resources: readonly string[], name: string): object {
  // `scope` has a default, but within a list kubectl apply would find it missing each time.
  return {
    apiGroups: [group],
    apiVersions: ['v1'],
    operations: ['DELETE'],
    resources,
    resourceNames: [name],
    scope: '*',
  };
}
