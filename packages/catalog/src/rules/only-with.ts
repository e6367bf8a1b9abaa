import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { compositionName, isService } from '../render/offers.ts';
import { backendIs, backendsOf } from './backend-is.ts';
import { implies, isSet, not, unlessBrokenBefore } from './expressions.ts';
import type { Rule } from './rule.ts';
import { allOf } from './sentence.ts';

/** Fields and parameters that not every backend takes. Compositions that the catalogue does not know may take them. */
export function onlyWith(offer: Service | Operation, catalogue: Catalogue): readonly Rule[] {
  const backends = backendsOf(offer, catalogue);
  const parameters = isService(offer) ? offer.parameters : [];
  const fields = [
    ...offer.fields.map(({ name, targets }) => ({ field: name, targets })),
    ...parameters.map(({ name, targets }) => ({ field: `parameters.${name}`, targets })),
  ];
  return fields.flatMap(({ field, targets }) => {
    const takers = backends.filter((backend) => Object.hasOwn(targets, backend));
    const others = backends.filter((backend) => !takers.includes(backend));
    if (others.length === 0) return [];
    const named = (names: readonly string[]) => allOf(names.map((backend) => compositionName(backend, offer)));
    return [
      {
        id: `${field}.backend`,
        field,
        asked: 'always',
        holds: unlessBrokenBefore(implies(isSet(field), not(backendIs(offer, others)))),
        message:
          takers.length > 0
            ? `${field} is only supported with the compositionRef ${named(takers)}.`
            : `${field} is not supported with ${named(others)}: omit it.`,
      },
    ];
  });
}
