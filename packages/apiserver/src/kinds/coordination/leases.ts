import type { ApiObject } from '../../objects/api-object.ts';
import { invalid } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { int32, microTime, named, ptr, struct, text, value } from '../types/fields.ts';

const leaseSpec = struct('LeaseSpec', 'A hold.', {
  holderIdentity: ptr(text('Who holds it.')),
  leaseDurationSeconds: ptr(int32('How long others must wait after the last renewal.')),
  acquireTime: ptr(microTime('Since when it is held.')),
  renewTime: ptr(microTime('When it was last renewed.')),
  leaseTransitions: ptr(int32('How often it changed hands.')),
  strategy: ptr(named('CoordinatedLeaseStrategy', 'How the next holder is found.')),
  preferredHolder: ptr(text('Who would be better.')),
});

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
  type: struct('Lease', 'Who holds something for a while.', { spec: value(leaseSpec, 'The hold.') }),
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
