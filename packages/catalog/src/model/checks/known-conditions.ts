import type { Catalogue, Condition, Operation, Service } from '../catalogue.ts';
import type { TreePath } from '../files/tree.ts';
import { allowedWords } from '../suggestion.ts';
import { isService, offersOf } from '../../render/offers.ts';
import { backendsOf } from '../../rules/backend-is.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Requirements speak of backends, versions, plans, traits, fields and services that exist. */
export const knownConditions: Check = (catalogue) =>
  offersOf(catalogue).flatMap((offer) =>
    offer.requirements.flatMap((requirement, at) =>
      (['when', 'then'] as const).flatMap((side) =>
        requirement[side].flatMap((condition, index) =>
          unknownNames(condition, offer, catalogue).map(({ path, message }) =>
            finding(offer, ['requires', at, side, index, ...path], message),
          ),
        ),
      ),
    ),
  );

type Unknown = Pick<Finding, 'path' | 'message'>;

function unknownNames(condition: Condition, offer: Service | Operation, catalogue: Catalogue): Unknown[] {
  const { versions = [], plans = [], traits = [] } = isService(offer) ? offer : {};
  switch (condition.is) {
    case 'backend':
      return each('backend', condition.in, backendsOf(offer, catalogue), ['backend']);
    case 'version':
      return each('version', condition.in, namesOf(versions), ['version']);
    case 'plan':
      return each('plan', condition.in, namesOf(plans), ['plan']);
    case 'trait': {
      const trait = traits.find(({ name }) => name === condition.trait);
      if (!trait) return each('trait', [condition.trait], namesOf(traits), ['trait'], false);
      return each(`value of the trait "${trait.name}"`, condition.in, trait.values, ['in']);
    }
    case 'set':
      return unknownField(condition.field, offer, 'set');
    case 'field':
      return [...unknownField(condition.field, offer, 'field'), ...unknownValues(condition, offer, catalogue)];
  }
}

function unknownField(field: string, offer: Service | Operation, key: 'set' | 'field'): Unknown[] {
  const parameters = isService(offer) ? offer.parameters : [];
  const known = [...namesOf(offer.fields), ...namesOf(parameters).map((name) => `parameters.${name}`)];
  return each('field', [field], known, [key], false);
}

/** The values of a field that are known: those of its schema, or the services. */
function unknownValues(
  condition: Extract<Condition, { readonly is: 'field' }>,
  offer: Service | Operation,
  { services }: Catalogue,
): Unknown[] {
  if (condition.field === 'serviceInstanceType') return each('service', condition.in, namesOf(services), ['in']);
  const schema = offer.fields.find(({ name }) => name === condition.field)?.schema;
  const values = schema?.['enum'];
  return Array.isArray(values) ? each('value', condition.in, values.map(String), ['in']) : [];
}

function each(
  what: string,
  names: readonly string[],
  known: readonly string[],
  path: TreePath,
  isList = true,
): Unknown[] {
  return names.flatMap((name, at) =>
    known.includes(name)
      ? []
      : [
          {
            path: isList ? [...path, at] : path,
            message: `There is no ${what} "${name}" here; ${allowedWords(name, known)}`,
          },
        ],
  );
}

const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);
