import type { Catalogue, Field, Operation, Service } from '@klutch/catalog';
import fc from 'fast-check';
import type { Spec } from '../matrix/index.ts';
import { allowed, wrong } from './values.ts';

/** Claims that name no Composition, one of the catalogue, or one that it does not know. */
const reference = (names: readonly (string | undefined)[]) =>
  fc.constantFrom(...names).map((name) => (name === undefined ? {} : { compositionRef: { name } }));

/** A `spec` that is allowed, but for requirements between fields. */
export function plausible(offer: Service | Operation): fc.Arbitrary<Spec> {
  return 'plans' in offer ? plausibleInstance(offer) : plausibleOperation(offer);
}

function plausibleInstance(service: Service): fc.Arbitrary<Spec> {
  const { defaultBackend, name, versions, plans, fields, parameters } = service;
  return fc.constantFrom(...service.backends).chain(({ name: backend }) => {
    const here = <T extends { readonly backends: readonly string[]; readonly name: string }>(values: readonly T[]) =>
      fc.constantFrom(...values.filter(({ backends }) => backends.includes(backend)).map((value) => value.name));
    const composition = `${backend}-${name}`;
    return fc
      .tuple(
        reference(backend === defaultBackend ? [composition, undefined] : [composition]),
        fc.record({ service: here(versions), plan: here(plans) }),
        some(fields, backend, 1),
        some(parameters, backend, 3),
      )
      .map(([ref, choice, set, given]) => ({
        ...ref,
        ...choice,
        ...set,
        ...(Object.keys(given).length > 0 ? { parameters: given } : {}),
      }));
  });
}

function plausibleOperation({ name, fields, defaultBackend }: Operation): fc.Arbitrary<Spec> {
  const type = (backend: string) =>
    fc.constantFrom(...(backend === 'a9s' ? ['search', 'keyvalue', 'postgresql'] : ['postgresql']));
  return fc.constantFrom('a8s', 'a9s').chain((backend) => {
    const composition = `${backend}-${name}`;
    const required = fields.filter((field) => field.required || field.name === 'instanceRef');
    return fc
      .tuple(
        reference(backend === defaultBackend ? [composition, undefined, ''] : [composition, 'my-own']),
        fc.record(
          Object.fromEntries(
            required.map((field) => [field.name, fc.constantFrom('orders', 'users', 'stock', 'a', 'b')]),
          ),
        ),
        fc.record({ serviceInstanceType: type(backend) }),
      )
      .map(([ref, set, of]) => ({ ...ref, ...set, ...of }));
  });
}

/** Some of the fields that a backend takes. */
function some(fields: readonly Field[], backend: string, most: number): fc.Arbitrary<Spec> {
  const takes = fields.filter(({ targets }) => Object.hasOwn(targets, backend));
  if (takes.length === 0) return fc.constant({});
  return fc
    .uniqueArray(fc.constantFrom(...takes), { maxLength: most, selector: ({ name }) => name })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map(({ name, schema }) => [name, allowed(schema)]))));
}

/** One change of a `spec`, right or wrong. */
export function changed(spec: Spec, offer: Service | Operation, catalogue: Catalogue): fc.Arbitrary<Spec> {
  const isInstance = 'plans' in offer;
  const parameters = (spec['parameters'] ?? {}) as Spec;
  const set = (field: string, values: readonly unknown[]) =>
    fc.constantFrom(...values).map((value): Spec => {
      const { [field]: _, ...rest } = spec;
      return value === undefined ? rest : { ...rest, [field]: value };
    });
  const setParameter = (value: (field: Field) => fc.Arbitrary<unknown>) =>
    fc
      .constantFrom(...(isInstance ? offer.parameters : offer.fields))
      .chain((field) => value(field).map((given) => ({ [field.name]: given })))
      .map(
        (given): Spec => (isInstance ? { ...spec, parameters: { ...parameters, ...given } } : { ...spec, ...given }),
      );
  const names = catalogue.backends.map(({ name }) => ({ name: `${name}-${offer.name}` }));
  const types = [...catalogue.services.map(({ name }) => name), 's3'];

  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(spec) },
    {
      weight: 6,
      arbitrary: isInstance
        ? set(
            'plan',
            offer.plans.map(({ name }) => name),
          )
        : set('serviceInstanceType', types),
    },
    { weight: 5, arbitrary: setParameter(({ schema }) => allowed(schema)) },
    { weight: 4, arbitrary: setParameter(({ schema }) => wrong(schema)) },
    {
      weight: 1,
      arbitrary: isInstance
        ? set(
            'service',
            offer.versions.map(({ name }) => name),
          )
        : set('instanceRef', ['', 'other', undefined]),
    },
    { weight: 2, arbitrary: set('compositionRef', [...names, { name: 'my-own' }, undefined, {}]) },
    { weight: 2, arbitrary: set(isInstance ? 'plan' : 'serviceInstanceType', ['huge', '', undefined, 7, null]) },
    { weight: 1, arbitrary: set('acceptsIncomplete', [true, 'yes']) },
  );
}
