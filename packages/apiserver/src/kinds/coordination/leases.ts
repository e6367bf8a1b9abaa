import type { ApiObject } from '../../objects/api-object.ts';
import { invalid } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';

interface Lease extends ApiObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    leaseTransitions?: number;
    strategy?: string;
    preferredHolder?: string;
  };
}

function causes({ spec = {} }: Lease): readonly FieldCause[] {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

/** Coordinated leader election is off unless it is asked for, and its fields are dropped. */
function dropCoordination({ spec }: Lease): void {
  delete spec?.strategy;
  delete spec?.preferredHolder;
}

export const leases = defineKind({
  group: 'coordination.k8s.io',
  resource: 'leases',
  columns: [nameColumn, column('Holder', 'Who holds it.', ({ spec }: Lease) => spec?.holderIdentity ?? ''), ageColumn],
  strategy: {
    unconditionalUpdate: false,
    createOnUpdate: true,
    prepareCreate: (object) => dropCoordination(object),
    prepareUpdate: (object) => dropCoordination(object),
    validateCreate: (object) => causes(object),
    validateUpdate: (object) => causes(object),
  },
});
