import type { Plan, Service } from '../catalogue.ts';
import { allowedWords } from '../suggestion.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Plans have values of traits that exist, and each value of a trait exists once. */
export const planTraits: Check = ({ services }) =>
  services.flatMap((service) => [
    ...service.traits.flatMap(({ name, values }) =>
      values.flatMap((value, at) =>
        values.indexOf(value) === at
          ? []
          : [
              finding(
                service,
                ['traits', name, 'values', at],
                `"${value}" is here twice; a value has one place in the order.`,
              ),
            ],
      ),
    ),
    ...service.plans.flatMap((plan) =>
      Object.entries(plan.traits).flatMap((trait) => unknownTrait(service, plan, trait)),
    ),
  ]);

function unknownTrait(service: Service, plan: Plan, [name, value]: readonly [string, string]): Finding[] {
  const path = ['plans', plan.name, 'traits', name];
  const trait = service.traits.find((candidate) => candidate.name === name);
  if (!trait) {
    const names = service.traits.map((candidate) => candidate.name);
    return [finding(service, path, `There is no trait "${name}"; ${allowedWords(name, names)}`)];
  }
  if (trait.values.includes(value)) return [];
  return [finding(service, path, `The trait "${name}" has no value "${value}"; ${allowedWords(value, trait.values)}`)];
}
