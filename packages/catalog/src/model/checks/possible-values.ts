import { transformed } from '../../preview/transform.ts';
import { isService } from '../../render/offers.ts';
import { functionTransform } from '../../render/transforms.ts';
import type { Catalogue, Json } from '../catalogue.ts';
import type { Route } from './routes.ts';

/** The texts that a claim can have where a route begins, on its backend or on any; undefined: any text. */
export function possibleValues(
  { from, backend, offer }: Route,
  { services }: Catalogue,
  where: 'here' | 'anywhere' = 'here',
): readonly string[] | undefined {
  if (!isService(offer) && from === 'spec.serviceInstanceType') {
    const isAble = (used: { readonly name: string; readonly operations: readonly string[] }) =>
      used.operations.includes(offer.name) && (where === 'anywhere' || used.name === backend);
    return services.filter(({ backends }) => backends.some(isAble)).map(({ name }) => name);
  }
  const { plans = [], versions = [], parameters = [] } = isService(offer) ? offer : {};
  const listed = { 'spec.plan': plans, 'spec.service': versions }[from];
  if (listed) {
    const here = listed.filter(({ backends }) => where === 'anywhere' || backends.includes(backend));
    return here.map(({ name }) => name);
  }
  const field =
    offer.fields.find(({ name }) => `spec.${name}` === from) ??
    parameters.find(({ name }) => `spec.parameters.${name}` === from);
  const values = field?.schema['enum'];
  return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : undefined;
}

/** What comes out at the end of a route; undefined: a transform fails. */
export function arriving(value: string, { transforms, offer }: Pick<Route, 'transforms' | 'offer'>): Json | undefined {
  const plans = isService(offer) ? offer.plans : [];
  return transforms.reduce<Json | undefined>((result, transform) => {
    if (result === undefined) return undefined;
    const outcome = transformed(result, functionTransform(transform, plans));
    return outcome.is === 'value' ? outcome.value : undefined;
  }, value);
}
