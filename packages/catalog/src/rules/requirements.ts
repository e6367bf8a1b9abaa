import type { Condition, Operation, Service } from '../model/catalogue.ts';
import { isService } from '../render/offers.ts';
import { backendIs } from './backend-is.ts';
import { all, implies, isIn, isSet, not, unlessBrokenBefore } from './expressions.ts';
import type { Expression, Rule } from './rule.ts';

/** What the catalogue says in so many words. */
export function requirements(offer: Service | Operation): readonly Rule[] {
  const stated = (conditions: readonly Condition[]) =>
    all(...conditions.map((condition) => statement(condition, offer)));
  return offer.requirements.map(({ when, then, message }, at) => ({
    id: `requirement.${at + 1}`,
    field: fieldOf([...when, ...then].find(({ is }) => is === 'set') ?? then[0] ?? when[0]),
    asked: 'always',
    holds: unlessBrokenBefore(implies(stated(when), stated(then))),
    message,
  }));
}

function statement(condition: Condition, offer: Service | Operation): Expression {
  switch (condition.is) {
    case 'backend':
      return backendIs(offer, condition.in);
    case 'version':
      return isIn('service', condition.in);
    case 'plan':
      return isIn('plan', condition.in);
    case 'trait':
      return isIn('plan', plansWith(offer, condition.trait, condition.in));
    case 'field':
      return isIn(condition.field, condition.in);
    case 'set':
      return isText(offer, condition.field)
        ? all(isSet(condition.field), not(isIn(condition.field, [''])))
        : isSet(condition.field);
  }
}

function plansWith(offer: Service | Operation, trait: string, values: readonly string[]): readonly string[] {
  const plans = isService(offer) ? offer.plans : [];
  return plans.filter(({ traits }) => values.includes(traits[trait] ?? '')).map(({ name }) => name);
}

/** Parts of fields are not looked into: they are set or not. */
function isText(offer: Service | Operation, path: string): boolean {
  const parameters = isService(offer) ? offer.parameters : [];
  const found =
    offer.fields.find(({ name }) => name === path) ?? parameters.find(({ name }) => `parameters.${name}` === path);
  return found?.schema['type'] === 'string';
}

/** The field a refusal is about. */
function fieldOf(condition: Condition | undefined): string {
  switch (condition?.is) {
    case 'set':
    case 'field':
      return condition.field;
    case 'version':
      return 'service';
    case 'backend':
      return 'compositionRef.name';
    default:
      return 'plan';
  }
}
