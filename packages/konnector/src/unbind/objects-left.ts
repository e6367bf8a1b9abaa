import { APIServiceBindingReason, type ConditionState, ConditionType, falseCondition } from '@klutch/api';

/** Objects that a binding waits for before it goes. */
export interface ObjectsLeft {
  readonly count: number;
  /** `namespace/name` of one of them. */
  readonly first?: string;
}

/** What a binding has to say that waits for the objects of its API. */
export function objectsLeft(api: string, { count, first }: ObjectsLeft): ConditionState {
  const objects = count === 1 ? '1 object' : `${count} objects`;
  const which = first === undefined ? '' : ` (${count === 1 ? '' : 'among them '}${first})`;
  return falseCondition(
    ConditionType.Unbound,
    'Info',
    APIServiceBindingReason.ObjectsLeft,
    `The binding goes when all objects of its API have been deleted, here and on the control plane. ${objects} of ${api} still there${which}; if one stays, its conditions and finalizers say why.`,
  );
}
