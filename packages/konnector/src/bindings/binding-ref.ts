import type { APIServiceBinding } from '@klutch/api';
import type { BindingRef } from './binding-board.ts';

/** Place and identity of a binding that a server stored. */
export function refOfBinding({ metadata }: Pick<APIServiceBinding, 'metadata'>): BindingRef {
  const { name = '', namespace, uid = '' } = metadata;
  return namespace ? { name, namespace, uid } : { name, uid };
}
