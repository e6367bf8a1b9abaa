import type { UnknownObject } from '@klutch/kube';
import { digestOf } from './canonical.ts';
import { shortfall } from './compare.ts';

/** Changes when somebody changes what the object asks for, but not with its status. */
export function specVersionOf(copy: UnknownObject | undefined): string | undefined {
  return copy && `${copy.metadata.uid}@${copy.metadata.generation}`;
}

/** How this very copy falls short of what is wanted; undefined when it does not. */
export function shortfallOf(wanted: UnknownObject, copy: UnknownObject): string | undefined {
  const lack = shortfall(wanted, copy);
  return lack && `${copy.metadata.uid} ${lack}`;
}

/** What has become of the wish that this very original shows a status. */
export function statusOutcome(original: UnknownObject, wanted: unknown): string {
  return `${original.metadata.uid} ${digestOf([wanted, original['status']])}`;
}
