import type { ApiObject } from '../objects/api-object.ts';
import { required } from '../schema/fields/field-error.ts';
import { child, index } from '../schema/fields/field-path.ts';
import type { FieldCause } from '../status/status-error.ts';

interface PolicyStatus {
  readonly typeChecking?: {
    readonly expressionWarnings?: readonly { readonly fieldRef: string; readonly warning: string }[];
  };
}

/** What is wrong with the status of a policy. */
export function policyStatusCauses({ status }: ApiObject): readonly FieldCause[] {
  const { typeChecking } = (status ?? {}) as PolicyStatus;
  return (typeChecking?.expressionWarnings ?? []).flatMap(({ fieldRef, warning }, at) => {
    const here = index('status.typeChecking.expressionWarnings', at);
    return [
      ...(warning === '' ? [required(child(here, 'warning'))] : []),
      ...(fieldRef.trim() === '' ? [required(child(here, 'fieldRef'))] : []),
    ];
  });
}
