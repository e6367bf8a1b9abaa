import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { type ComposedTemplate, composedTemplate } from './composed-template.ts';
import { compositeNames, compositionName, offersOf, type Realisation, realisationsOf } from './offers.ts';

/** `apiextensions.crossplane.io/v1` Composition with one step, as the catalogue has them. */
export interface Composition {
  readonly apiVersion: 'apiextensions.crossplane.io/v1';
  readonly kind: 'Composition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly compositeTypeRef: { readonly apiVersion: string; readonly kind: string };
    readonly mode: 'Pipeline';
    readonly pipeline: readonly [
      {
        readonly step: string;
        readonly functionRef: { readonly name: string };
        readonly input: {
          readonly apiVersion: 'pt.fn.crossplane.io/v1beta1';
          readonly kind: 'Resources';
          readonly resources: readonly ComposedTemplate[];
        };
      },
    ];
  };
}

/** One Composition for each offer on each backend that has it: `<backend>-<offer>`. */
export function compositionsOf(catalogue: Catalogue): readonly Composition[] {
  return offersOf(catalogue).flatMap((offer) =>
    realisationsOf(offer, catalogue).map((realisation) => compositionOf(offer, realisation)),
  );
}

function compositionOf(offer: Service | Operation, realisation: Realisation): Composition {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: { name: compositionName(realisation.backend, offer) },
    spec: {
      compositeTypeRef: { apiVersion: `${offer.group}/v1`, kind: compositeNames(offer).kind },
      mode: 'Pipeline',
      pipeline: [
        {
          step: 'patch-and-transform',
          functionRef: { name: 'function-patch-and-transform' },
          input: {
            apiVersion: 'pt.fn.crossplane.io/v1beta1',
            kind: 'Resources',
            resources: [composedTemplate(offer, realisation)],
          },
        },
      ],
    },
  };
}
