import type { Operation, Service } from '../model/catalogue.ts';
import { isService } from '../render/offers.ts';
import { COMPOSITION } from './backend-is.ts';
import { any, before, isIn, isSet, kept, not } from './expressions.ts';
import type { Rule } from './rule.ts';

/** What keeps its first value: the version, the backend, and the fields that the catalogue calls immutable. */
export function immutable(offer: Service | Operation): readonly Rule[] {
  const fields = offer.fields.filter((field) => field.immutable).map(({ name }) => name);
  const parameters = isService(offer) ? offer.parameters.filter((field) => field.immutable) : [];
  return [
    ...(isService(offer) && offer.versions.length > 0 ? [version] : []),
    composition,
    ...[...fields, ...parameters.map(({ name }) => `parameters.${name}`)].map(firstValue),
  ];
}

const version: Rule = {
  id: 'service.kept',
  field: 'service',
  asked: 'change',
  holds: kept('service'),
  message: 'service is an immutable field: create another instance to use another version.',
};

const composition: Rule = {
  id: 'compositionRef.kept',
  field: COMPOSITION,
  asked: 'change',
  holds: any(not(before(isSet(COMPOSITION))), before(isIn(COMPOSITION, [''])), kept(COMPOSITION)),
  message: 'compositionRef is an immutable field once it is set: create another object to use another backend.',
};

const firstValue = (field: string): Rule => ({
  id: `${field}.kept`,
  field,
  asked: 'change',
  holds: any(not(before(isSet(field))), kept(field)),
  message: `${field} is an immutable field once it is set: keep its value.`,
});
