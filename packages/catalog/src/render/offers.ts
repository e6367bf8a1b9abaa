import type { Catalogue, Composed, Operation, Service } from '../model/catalogue.ts';

/** The Composition that makes an offer come about on a backend. */
export function compositionName(backend: string, offer: Service | Operation): string {
  return `${backend}-${offer.name}`;
}

/** The cluster-scoped counterpart of a kind of claim. */
export function compositeNames({ kind, plural }: Service | Operation): {
  readonly kind: string;
  readonly plural: string;
} {
  return { kind: `X${kind}`, plural: `x${plural}` };
}

export function isService(offer: Service | Operation): offer is Service {
  return 'plans' in offer;
}

/** Everything that claims can be made of: services first. */
export function offersOf({ services, operations }: Catalogue): readonly (Service | Operation)[] {
  return [...services, ...operations];
}

/** How an offer comes about on one backend. */
export interface Realisation {
  readonly backend: string;
  readonly composed: Composed;
  /** Where parameters go; only services have them. */
  readonly parametersAt?: string;
}

/** How an offer comes about, on each backend that has it. */
export function realisationsOf(offer: Service | Operation, catalogue: Catalogue): readonly Realisation[] {
  if (isService(offer)) return offer.backends.map(({ name, ...rest }) => ({ backend: name, ...rest }));
  return catalogue.backends.flatMap(({ name, operations }) => {
    const composed = operations[offer.name];
    return composed ? [{ backend: name, composed }] : [];
  });
}
