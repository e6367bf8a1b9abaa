import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { compositionName, isService } from '../render/offers.ts';
import { COMPOSITION, backendIs, backendsOf } from './backend-is.ts';
import { all, any, before, implies, isIn, isSet, kept, unlessBrokenBefore } from './expressions.ts';
import type { Rule } from './rule.ts';
import { allOf, oneOf } from './sentence.ts';

/** Claims choose among what is offered, and keep what they have when it is not offered any more. */
export function offered(offer: Service | Operation, catalogue: Catalogue): readonly Rule[] {
  const backends = backendsOf(offer, catalogue);
  if (!isService(offer)) return typesOffered(offer, catalogue, backends);
  const choices: readonly Choice[] = [
    { field: 'service', values: current(offer.versions) },
    { field: 'plan', values: current(offer.plans) },
  ];
  const rules = choices.filter(({ values }) => values.length > 0);
  if (backends.length < 2) return rules.map((choice) => fromList(offer, choice));
  return [
    knownComposition(offer, backends),
    ...rules.flatMap((choice) => backends.map((backend) => fromListOf(backend, offer, choice))),
  ];
}

/** A field whose values are offered by backends. */
interface Choice {
  readonly field: string;
  readonly values: readonly { readonly name: string; readonly backends: readonly string[] }[];
}

const current = <Value extends { readonly retired: boolean }>(values: readonly Value[]) =>
  values.filter(({ retired }) => !retired);

/** Which services an operation works with. A Composition that the catalogue does not know may work with each of them. */
function typesOffered(offer: Operation, { services }: Catalogue, backends: readonly string[]): readonly Rule[] {
  const field = 'serviceInstanceType';
  if (!offer.fields.some(({ name }) => name === field)) return [];
  const types = services.map((service) => ({
    name: service.name,
    backends: service.backends.filter(({ operations }) => operations.includes(offer.name)).map(({ name }) => name),
  }));
  const values = types.filter((type) => type.backends.some((backend) => backends.includes(backend)));
  const limited = backends.filter((backend) => values.some((type) => !type.backends.includes(backend)));
  return [
    fromList(offer, { field, values }),
    ...limited.map((backend) => fromListOf(backend, offer, { field, values })),
  ];
}

function fromList(offer: Service | Operation, { field, values }: Choice): Rule {
  const names = values.map(({ name }) => name);
  return {
    id: `${field}.offered`,
    field,
    asked: 'always',
    holds: any(isIn(field, names), kept(field)),
    message: `Unsupported ${field} used: ${offer.displayName} ${offersOrSupports(offer)} ${allOf(names)}.`,
  };
}

function fromListOf(backend: string, offer: Service | Operation, { field, values }: Choice): Rule {
  const names = values.filter(({ backends }) => backends.includes(backend)).map(({ name }) => name);
  const usesIt = backendIs(offer, [backend]);
  const who = `${compositionName(backend, offer)}${backend === offer.defaultBackend ? ' (the default)' : ''}`;
  return {
    id: `${field}.offered.${backend}`,
    field,
    asked: 'always',
    holds: implies(usesIt, any(isIn(field, names), all(before(usesIt), kept(field)))),
    message: `Unsupported ${field} used: ${who} ${offersOrSupports(offer)} ${allOf(names)}.`,
  };
}

const offersOrSupports = (offer: Service | Operation) => (isService(offer) ? 'offers' : 'supports');

/** With several backends, nothing can be said about the versions and plans of an unknown one. */
function knownComposition(offer: Service, backends: readonly string[]): Rule {
  const names = backends.map((backend) => compositionName(backend, offer));
  return {
    id: 'compositionRef.offered',
    field: COMPOSITION,
    asked: 'always',
    holds: unlessBrokenBefore(implies(isSet(COMPOSITION), isIn(COMPOSITION, names))),
    message: `Unsupported compositionRef used: name ${oneOf(names)}, or omit it to use ${compositionName(offer.defaultBackend, offer)}.`,
  };
}
