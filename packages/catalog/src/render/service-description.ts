import type { ServiceDescription } from '@klutch/api';
import type { Catalogue, Operation, Plan, Service } from '../model/catalogue.ts';
import type { Rule } from '../rules/rule.ts';
import { examplesOfOffer } from './examples.ts';
import { compositionName, isService, realisationsOf } from './offers.ts';

/** What people should know about an offer; without what is retired, which nobody gets any more. */
export function describeOffer(
  offer: Service | Operation,
  catalogue: Catalogue,
  rules: readonly Rule[],
): ServiceDescription {
  const { displayName, description, documentation, defaultBackend } = offer;
  const used = realisationsOf(offer, catalogue).map(({ backend }) => backend);
  const backends = catalogue.backends.filter(({ name }) => used.includes(name));
  const someOf = (names: readonly string[]) => (names.length < used.length ? { backends: [...names] } : {});
  const [example] = examplesOfOffer(offer, catalogue, rules);
  return {
    displayName,
    description,
    ...(documentation === undefined ? {} : { documentation }),
    backends: backends
      .map(({ name, displayName }) => ({ name, displayName, composition: compositionName(name, offer) }))
      .sort((a, b) => Number(b.name === defaultBackend) - Number(a.name === defaultBackend)),
    ...(isService(offer) && {
      versions: offered(offer.versions).map(({ name, backends }) => ({ name, ...someOf(backends) })),
      plans: offered(offer.plans).map((plan) => ({ ...described(plan), ...someOf(plan.backends) })),
    }),
    ...(example ? { example: example.claim.spec } : {}),
  };
}

function offered<Value extends { readonly retired: boolean }>(values: readonly Value[]): readonly Value[] {
  return values.filter(({ retired }) => !retired);
}

function described({ name, description, cost, limits }: Plan) {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(cost === undefined ? {} : { cost }),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  };
}
