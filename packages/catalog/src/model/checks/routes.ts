import { isService, offersOf, type Realisation, realisationsOf } from '../../render/offers.ts';
import type { Catalogue, Field, Operation, Service, Transform } from '../catalogue.ts';
import { type Finding, partOf } from './finding.ts';

/** One way of a value from a claim to the object that is composed on a backend. */
export interface Route extends Omit<Finding, 'message'> {
  readonly offer: Service | Operation;
  readonly backend: string;
  readonly from: string;
  readonly to: string;
  readonly transforms: readonly Transform[];
}

/** All ways of values: what backends copy, and where fields and parameters go. */
export function routesOf(catalogue: Catalogue): readonly Route[] {
  return offersOf(catalogue).flatMap((offer) =>
    realisationsOf(offer, catalogue).flatMap((realisation) => [
      ...patchRoutes(offer, realisation),
      ...fieldRoutes(offer, realisation, 'fields', offer.fields),
      ...(isService(offer) ? fieldRoutes(offer, realisation, 'parameters', offer.parameters) : []),
    ]),
  );
}

/** Files of services have what is copied for their instances, files of backends what is copied for operations. */
function patchRoutes(offer: Service | Operation, { backend, composed }: Realisation): Route[] {
  const place = isService(offer)
    ? ({ part: 'services', name: offer.name, path: ['backends', backend, 'patches'] } as const)
    : ({ part: 'backends', name: backend, path: ['operations', offer.name, 'patches'] } as const);
  return composed.patches.map((patch, at) => ({ offer, backend, ...patch, ...place, path: [...place.path, at] }));
}

function fieldRoutes(
  offer: Service | Operation,
  { backend, parametersAt = '' }: Realisation,
  key: 'fields' | 'parameters',
  fields: readonly Field[],
): Route[] {
  const [from, to] = key === 'fields' ? ['spec.', ''] : ['spec.parameters.', `${parametersAt}.`];
  return fields.flatMap(({ name, targets }) => {
    const taken = Object.hasOwn(targets, backend) ? targets[backend] : undefined;
    if (taken === undefined || taken === 'ignored') return [];
    return taken.map((target, at) => ({
      offer,
      backend,
      part: partOf(offer),
      name: offer.name,
      path: [key, name, backend, at],
      from: `${from}${name}`,
      to: `${to}${target.to}`,
      transforms: target.transforms,
    }));
  });
}
