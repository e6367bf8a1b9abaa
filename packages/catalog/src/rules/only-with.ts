import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { compositionName, isService } from '../render/offers.ts';
import { backendIs, backendsOf } from './backend-is.ts';
import { implies, isSet, unlessBrokenBefore } from './expressions.ts';
import type { Rule } from './rule.ts';
import { allOf } from './sentence.ts';

/** Fields and parameters that only some backends take. Those that none takes are for people. */
export function onlyWith(offer: Service | Operation, catalogue: Catalogue): readonly Rule[] {
  const backends = backendsOf(offer, catalogue);
  const parameters = isService(offer) ? offer.parameters : [];
  const fields = [
    ...offer.fields.map(({ name, targets }) => ({ field: name, targets })),
    ...parameters.map(({ name, targets }) => ({ field: `parameters.${name}`, targets })),
  ];
  return fields.flatMap(({ field, targets }) => {
    const takers = backends.filter((backend) => Object.hasOwn(targets, backend));
    if (takers.length === 0 || takers.length === backends.length) return [];
    const names = allOf(takers.map((backend) => compositionName(backend, offer)));
    return [
      {
        id: `${field}.backend`,
        field,
        asked: 'always',
        holds: unlessBrokenBefore(implies(isSet(field), backendIs(offer, takers))),
        message: `${field} is only supported with the compositionRef ${names}.`,
      },
    ];
  });
}
