import { eventually } from '@klutch/kit';
import type { Client } from '../client.ts';
import { inCluster, inNamespace } from '../paths.ts';
import { type Refusal, refusal } from '../refusal.ts';

export const policies = inCluster('admissionregistration.k8s.io/v1/validatingadmissionpolicies');
export const bindings = inCluster('admissionregistration.k8s.io/v1/validatingadmissionpolicybindings');

/** A policy and its binding, as far as they are not the same in every check. Both have the same name. */
export interface Rule {
  /** Part of `spec`. Without match constraints the policy is about config maps with a label `policy` of its name. */
  readonly policy: object;
  /** Part of `spec` of the binding. Default: it denies. */
  readonly binding?: object;
}

/** Policies of one file, by name; names are used for nothing else in the cluster. */
export type Rules = Readonly<Record<string, Rule>>;

/** One validation that fails unless the expression is true. */
export const valid = (expression: string, more: object = {}) => ({ validations: [{ expression, ...more }] });

/** Rules for requests that a policy is about. */
export const on = (resources: readonly string[], more: object = {}) => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['*'],
  resources,
  ...more,
});

/** Match constraints that hold for config maps of the namespace with this label. */
export const labelled = (namespace: string, policy: string, more: object = {}) => ({
  ...inside(namespace),
  objectSelector: { matchLabels: { policy } },
  resourceRules: [on(['configmaps'])],
  ...more,
});

/** A policy that admits everything, for config maps of a namespace that carry its name as label `policy`. */
export const idle = (namespace: string, name: string, more: object = {}) => ({
  metadata: { name },
  spec: { matchConstraints: labelled(namespace, name), ...valid('true'), ...more },
});

/** Match constraints that hold for one namespace only. */
export const inside = (namespace: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
});

/**
 * Puts rules in force and waits until they are. kube-apiserver learns of policies about a second later, and of all that
 * are older when it learns of one.
 */
export async function enforce(admin: Client, namespace: string, rules: Rules): Promise<void> {
  const marker = `${namespace}-last`;
  const all: Rules = { ...rules, [marker]: { policy: valid('false') } };
  for (const [name, { policy }] of Object.entries(all)) {
    await admin.create(policies(), {
      metadata: { name },
      spec: { matchConstraints: labelled(namespace, name), ...policy },
    });
  }
  for (const [name, { binding }] of Object.entries(all)) {
    await admin.create(bindings(), {
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    });
  }
  const at = inNamespace('v1/configmaps', namespace);
  const probe = () => admin.post(`${at()}?dryRun=All`, { metadata: { name: 'probe', labels: { policy: marker } } });
  await eventually(async () => (await probe()).status === 422, { what: 'the policies are in force' });
}

/** The refusal of a request by a policy and its binding of the same name. */
export function deniedBy(
  policy: string,
  resource: string,
  name: string,
  message: string,
  [reason, code]: readonly [reason: string, code: number] = ['Invalid', 422],
): Refusal {
  const said = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${message}`;
  const [kind = '', ...group] = resource.split('.');
  return refusal(code, reason, `${resource} "${name}" is forbidden: ${said}`, {
    name,
    ...(group.length === 0 ? {} : { group: group.join('.') }),
    kind,
    causes: [{ message: said }],
  });
}
