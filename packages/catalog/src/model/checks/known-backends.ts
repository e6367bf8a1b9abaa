import type { Catalogue, Operation, Service } from '../catalogue.ts';
import type { TreePath } from '../files/tree.ts';
import { allowedWords } from '../suggestion.ts';
import { isService, offersOf } from '../../render/offers.ts';
import { backendsOf } from '../../rules/backend-is.ts';
import { type Check, type Finding, finding } from './finding.ts';

/** Backends that are named somewhere exist, and have what is said about them. */
export const knownBackends: Check = (catalogue) =>
  offersOf(catalogue).flatMap((offer) => [
    ...(isService(offer) ? serviceBackends(offer, catalogue) : []),
    ...namedBackends(offer, backendsOf(offer, catalogue)),
  ]);

function serviceBackends(service: Service, { backends }: Catalogue): Finding[] {
  const names = backends.map(({ name }) => name);
  const unknown = service.backends
    .filter(({ name }) => !names.includes(name))
    .map(({ name }) =>
      finding(service, ['backends', name], `There is no backend "${name}"; ${allowedWords(name, names)}`),
    );
  const none = finding(service, ['backends'], 'A service needs a backend; name at least one.');
  return service.backends.length === 0 ? [none] : unknown;
}

function namedBackends(offer: Service | Operation, having: readonly string[]): Finding[] {
  const unknown = (name: string, path: TreePath) =>
    having.includes(name)
      ? []
      : [finding(offer, path, `${offer.displayName} has no backend "${name}"; ${allowedWords(name, having)}`)];
  const listed = (key: 'plans' | 'versions', items: Service['versions']) =>
    items.flatMap((item) => item.backends.flatMap((name, at) => unknown(name, [key, item.name, 'backends', at])));
  const targets = (key: 'fields' | 'parameters', fields: Offer['fields']) =>
    fields.flatMap((field) => Object.keys(field.targets).flatMap((name) => unknown(name, [key, field.name, name])));
  return [
    ...(having.length > 0 ? unknown(offer.defaultBackend, ['defaultBackend']) : []),
    ...targets('fields', offer.fields),
    ...(isService(offer)
      ? [
          ...targets('parameters', offer.parameters),
          ...listed('versions', offer.versions),
          ...listed('plans', offer.plans),
        ]
      : []),
  ];
}

type Offer = Service | Operation;
