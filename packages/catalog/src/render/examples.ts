import type { Catalogue, Field, Json, JsonObject, Operation, Service } from '../model/catalogue.ts';
import { refusals } from '../rules/refusals.ts';
import type { Rule } from '../rules/rule.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { compositionName, isService, offersOf, realisationsOf } from './offers.ts';

/** A claim that is accepted as it is. */
export interface Example {
  readonly backend: string;
  readonly claim: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace: string };
    readonly spec: JsonObject;
  };
}

/** One ready claim for each kind and backend; none where no plan and version of a service go together. */
export function examplesOf(catalogue: Catalogue): readonly Example[] {
  return offersOf(catalogue).flatMap((offer) => examplesOfOffer(offer, catalogue));
}

/** One ready claim of an offer for each of its backends, the default first. */
export function examplesOfOffer(
  offer: Service | Operation,
  catalogue: Catalogue,
  rules: readonly Rule[] = rulesOf(offer, catalogue),
): readonly Example[] {
  const backends = realisationsOf(offer, catalogue).map(({ backend }) => backend);
  const defaultFirst = [...backends].sort(
    (a, b) => Number(b === offer.defaultBackend) - Number(a === offer.defaultBackend),
  );
  return defaultFirst.flatMap((backend) => {
    const chosen: JsonObject = backends.length > 1 ? { compositionRef: { name: compositionName(backend, offer) } } : {};
    for (const candidate of candidates(offer, backend, catalogue)) {
      const spec: JsonObject = { ...candidate, ...chosen };
      if (refusals(rules, spec).length === 0) return [{ backend, claim: claimOf(offer, spec) }];
    }
    return [];
  });
}

function claimOf({ group, kind, name }: Service | Operation, spec: JsonObject): Example['claim'] {
  return { apiVersion: `${group}/v1`, kind, metadata: { name: `my-${name}`, namespace: 'default' }, spec };
}

/** What might be accepted: the newest version and the smallest plan first. */
function* candidates(offer: Service | Operation, backend: string, catalogue: Catalogue): Iterable<JsonObject> {
  if (!isService(offer)) return yield* operationCandidates(offer, backend, catalogue);
  const fixed = valuesOf(offer.fields, {});
  const parameters = valuesOf(offer.parameters, {});
  const rest = Object.keys(parameters).length > 0 ? { ...fixed, parameters } : fixed;
  for (const version of choices('service', offer.versions, backend).reverse())
    for (const plan of choices('plan', offer.plans, backend)) yield { ...version, ...plan, ...rest };
}

/** The ways to fill in a field that has the names of versions or plans; one way, without it, when there are none. */
function choices(field: 'service' | 'plan', from: readonly Choice[], backend: string): JsonObject[] {
  if (from.length === 0) return [{}];
  return from
    .filter(({ backends, retired }) => backends.includes(backend) && !retired)
    .map(({ name }) => ({ [field]: name }));
}

interface Choice {
  readonly name: string;
  readonly backends: readonly string[];
  readonly retired: boolean;
}

function operationCandidates(offer: Operation, backend: string, { services }: Catalogue): readonly JsonObject[] {
  return services
    .filter((service) =>
      service.backends.some(({ name, operations }) => name === backend && operations.includes(offer.name)),
    )
    .map(({ name }) => {
      const known = { instanceRef: `my-${name}`, serviceInstanceType: name, backupRef: 'my-backup' };
      const fields = offer.fields.filter(
        (field) => field.required || (field.name in known && Array.isArray(field.targets[backend])),
      );
      return valuesOf(
        fields.map((field) => ({ ...field, required: true })),
        known,
      );
    });
}

function valuesOf(fields: readonly Field[], known: Readonly<Record<string, Json>>): JsonObject {
  return Object.fromEntries(
    fields.filter(({ required }) => required).map(({ name, schema }) => [name, known[name] ?? sample(schema)]),
  );
}

/** A value that a schema allows, as far as types, enumerations and lower limits tell. */
function sample(schema: JsonObject): Json {
  const { default: preset, enum: values, type, minimum, required, properties } = schema;
  if (preset !== undefined) return preset;
  if (Array.isArray(values) && values[0] !== undefined) return values[0] as Json;
  switch (type) {
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        ((required ?? []) as readonly string[]).map((name) => [
          name,
          sample((properties as Readonly<Record<string, JsonObject>>)[name] ?? {}),
        ]),
      );
    default:
      return 'example';
  }
}
