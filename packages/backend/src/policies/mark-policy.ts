import { labels } from '@klutch/api';
import { type AdmissionPolicy, type AdmissionPolicyBinding, enforced } from './admission-policy.ts';
import { any, entryOf, text } from './cel.ts';

export interface MarkPolicyGrounds {
  /** Name of the policy. */
  readonly name: string;
  /** User name of the backend's account. */
  readonly account: string;
  /** Namespace of the backend, which is the value of the mark. */
  readonly namespace: string;
}

/**
 * Keeps the mark of tenants' namespaces trustworthy: besides the backend only administrators set or remove it. Who counts as
 * one is told by the right to the verb `mark` on namespaces, which no role but one with wildcards gives unless it is meant to.
 */
export function markPolicy({
  name,
  account,
  namespace,
}: MarkPolicyGrounds): readonly [AdmissionPolicy, AdmissionPolicyBinding] {
  const has = (object: string) => `${entryOf(object, 'labels', labels.backend)} == ${text(namespace)}`;
  return enforced(name, {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [''],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          // Labels can be changed through each of them.
          resources: ['namespaces', 'namespaces/status', 'namespaces/finalize'],
        },
      ],
    },
    matchConditions: [
      {
        name: 'changes-the-mark',
        expression: `request.operation == "CREATE" ? ${has('object')} : (${has('object')}) != (${has('oldObject')})`,
      },
    ],
    validations: [
      {
        expression: any(
          `request.userInfo.username == ${text(account)}`,
          'authorizer.group("").resource("namespaces").check("mark").allowed()',
        ),
        message: `Only the backend and administrators may set or remove the label ${labels.backend}=${namespace}: it lets the backend write in the namespace.`,
        reason: 'Forbidden',
      },
    ],
  });
}
