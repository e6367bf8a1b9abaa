import { isService } from '../../render/offers.ts';
import type { Catalogue, Transform } from '../catalogue.ts';
import { allowedWords } from '../suggestion.ts';
import { type Check, type Finding, finding } from './finding.ts';
import { arriving, possibleValues } from './possible-values.ts';
import { type Route, routesOf } from './routes.ts';

/** Every value that a claim can have on a backend comes through the transforms on its way. */
export const mappings: Check = (catalogue) =>
  routesOf(catalogue).flatMap((route) => {
    const message = misuse(route) ?? strangeName(route, catalogue);
    return message === undefined ? lostValues(route, catalogue) : [at(route, message)];
  });

const at = ({ part, name, path }: Route, message: string): Finding => ({ part, name, path, message });

function misuse({ transforms, from }: Route): string | undefined {
  const isMisused = transforms.some(({ is }, index) => is === 'trait' && (index > 0 || from !== 'spec.plan'));
  return isMisused ? 'Only plans have traits; use "trait" as the first transform of spec.plan.' : undefined;
}

/** A trait, or a key of a map, that nothing can have. */
function strangeName(route: Route, catalogue: Catalogue): string | undefined {
  const [first] = route.transforms;
  if (first?.is === 'trait') return strangeTrait(first, route);
  const known = first?.is === 'map' ? possibleValues(route, catalogue, 'anywhere') : undefined;
  const strange = first?.is === 'map' && known && Object.keys(first.values).find((key) => !known.includes(key));
  return known && strange ? `There is no "${strange}" in ${route.from}; ${allowedWords(strange, known)}` : undefined;
}

function strangeTrait({ trait: name, values }: Transform & { is: 'trait' }, { offer }: Route): string | undefined {
  const traits = isService(offer) ? offer.traits : [];
  const trait = traits.find((candidate) => candidate.name === name);
  if (!trait) {
    const names = traits.map((candidate) => candidate.name);
    return `There is no trait "${name}"; ${allowedWords(name, names)}`;
  }
  const strange = Object.keys(values).find((value) => !trait.values.includes(value));
  return strange && `The trait "${name}" has no value "${strange}"; ${allowedWords(strange, trait.values)}`;
}

/** Values that nothing is known for. What is to be blamed is the last that was added: the plan, version or service. */
function lostValues(route: Route, catalogue: Catalogue): Finding[] {
  const { transforms, from, to, backend, offer } = route;
  const values = possibleValues(route, catalogue);
  if (values === undefined) {
    const partial = transforms.find(({ is }) => is === 'map' || is === 'integer');
    const remedy = `give ${from} a schema with an enum of texts`;
    return partial ? [at(route, `"${partial.is}" needs values that are known beforehand; ${remedy}.`)] : [];
  }
  return values
    .filter((value) => arriving(value, route) === undefined && !isMisspelt(value, route))
    .map((value) => {
      const message = `On ${backend}, ${to} has no value for "${value}"; add one to the transforms of ${from}.`;
      if (from === 'spec.plan') return finding(offer, ['plans', value], message);
      if (from === 'spec.service') return finding(offer, ['versions', value], message);
      const service = catalogue.services.find(({ name }) => name === value);
      if (isService(offer) || !service) return at(route, message);
      return finding(service, ['backends', backend, 'operations'], message);
    });
}

/** A plan with an unknown value of a trait is found by another check. */
function isMisspelt(value: string, { offer }: Route): boolean {
  if (!isService(offer)) return false;
  const plan = offer.plans.find(({ name }) => name === value);
  return offer.traits.some(({ name, values }) => plan && !values.includes(plan.traits[name] ?? ''));
}
