import { compositeNames, isService, offersOf } from '../../render/offers.ts';
import type { Operation, Service } from '../catalogue.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Within a group, no two offers have one kind or one plural; those of composites are taken, too. Both files are named. */
export const uniqueKinds: Check = (catalogue) =>
  offersOf(catalogue).flatMap((offer, _, offers) => {
    const rivals = offers.filter((other) => other !== offer && other.group === offer.group);
    return sharedName('kind', offer, rivals) ?? sharedName('plural', offer, rivals) ?? [];
  });

type Offer = Service | Operation;

function sharedName(key: 'kind' | 'plural', offer: Offer, rivals: readonly Offer[]): Finding[] | undefined {
  const names = (of: Offer) => [of[key].toLowerCase(), compositeNames(of)[key].toLowerCase()];
  const rival = rivals.find((other) => names(other).some((name) => names(offer).includes(name)));
  if (!rival) return undefined;
  const owner = `The ${isService(rival) ? 'service' : 'operation'} "${rival.name}"`;
  const taken = `${rival[key]} and ${compositeNames(rival)[key]}`;
  const isDerived = offer.plural === `${offer.kind.toLowerCase()}s`;
  return [finding(offer, [isDerived ? 'kind' : key], `${owner} has the ${key}s ${taken}; choose another ${key}.`)];
}
