import { ADMISSION_GROUP, fillInMatchResources, type Policy } from '../../admission/policy-objects.ts';
import { policyCauses } from '../../admission/policy-causes.ts';
import { policyStatusCauses } from '../../admission/policy-status-causes.ts';
import { ageColumn, column, nameColumn, type Shown } from '../columns.ts';
import { defineKind } from '../define-kind.ts';

export const validatingAdmissionPolicies = defineKind({
  group: ADMISSION_GROUP,
  resource: 'validatingadmissionpolicies',
  columns: [
    nameColumn,
    {
      ...column(
        'Validations',
        'How many validations it has.',
        ({ spec }: Shown<Policy>) => spec?.validations?.length ?? 0,
      ),
      type: 'integer',
    },
    column('ParamKind', 'The kind of its parameters.', ({ spec }: Shown<Policy>) =>
      spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>',
    ),
    ageColumn,
  ],
  strategy: {
    unconditionalUpdate: false,
    tracksGeneration: true,
    validateCreate: (object) => policyCauses(object as Policy),
    validateUpdate: (object, old) => policyCauses(object as Policy, old as Policy),
    validateStatusUpdate: (object) => policyStatusCauses(object),
  },
  fillIn: (object) => {
    const { spec } = object as Policy;
    spec.failurePolicy ??= 'Fail';
    fillInMatchResources(spec.matchConstraints);
  },
});
