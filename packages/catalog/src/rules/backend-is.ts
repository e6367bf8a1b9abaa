import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { compositionName, realisationsOf } from '../render/offers.ts';
import { any, isIn, isSet, not } from './expressions.ts';
import type { Expression } from './rule.ts';

export const COMPOSITION = 'compositionRef.name';

/** Names of the backends that have an offer. */
export const backendsOf = (offer: Service | Operation, catalogue: Catalogue): readonly string[] =>
  realisationsOf(offer, catalogue).map(({ backend }) => backend);

/** A claim uses one of these backends; one that names no Composition uses the default. */
export function backendIs(offer: Service | Operation, backends: readonly string[]): Expression {
  const named = backends.map((backend) => compositionName(backend, offer));
  if (!backends.includes(offer.defaultBackend)) return isIn(COMPOSITION, named);
  return any(not(isSet(COMPOSITION)), isIn(COMPOSITION, ['', ...named]));
}
