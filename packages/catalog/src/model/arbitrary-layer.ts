import fc from 'fast-check';
import { stringify } from 'yaml';
import type { Json, JsonObject } from './catalogue.ts';
import type { SourceFile } from './files/source.ts';

/** A catalogue of valid files, as JSON by path: one backend of each kind, some services on them, and a backup. */
export type Layer = Readonly<Record<string, JsonObject>>;

/** The files of a layer, as somebody would write them. */
export function written(layer: Layer): readonly SourceFile[] {
  return Object.entries(layer).map(([path, content]) => ({
    path,
    text: stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }),
  }));
}

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const words = (min: number, max: number) => fc.uniqueArray(word, { minLength: min, maxLength: max });
const sentence = fc.string({ minLength: 1, maxLength: 40 });

const fieldSchema: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(3) }, { requiredKeys: ['type'] }),
  words(1, 4).map((values) => ({ type: 'string', enum: values })),
  fc.record({ type: fc.constant('integer'), minimum: fc.integer() }, { requiredKeys: ['type'] }),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: 'array', items: { type: 'string' } }),
  fc.constant({ 'x-kubernetes-int-or-string': true, minimum: 0, pattern: '^off$' }),
  fc.constant({ type: 'object', properties: { a: { type: 'integer' } } }),
);

/** Fields whose values go to places of their own, on some of the backends. */
const fields = (backends: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc
    .array(fc.tuple(fieldSchema, fc.subarray([...backends]), fc.boolean()), { maxLength: 4 })
    .map((all) =>
      Object.fromEntries(
        all.map(([schema, taking, isIgnored], at) => [
          `field${at}`,
          { schema, ...Object.fromEntries(taking.map((backend) => [backend, isIgnored ? 'ignored' : `field.n${at}`])) },
        ]),
      ),
    );

/** Sizes, each of which has more storage than the one before. */
const service = (name: string, at: number): fc.Arbitrary<JsonObject> =>
  fc.subarray(['vm', 'pod'], { minLength: 1 }).chain((backends) =>
    fc
      .record({
        sizes: words(1, 4),
        change: fc.constantFrom('grow', 'never'),
        versions: words(1, 3),
        description: sentence,
        parameters: fields(backends),
        cost: fc.option(sentence, { nil: undefined }),
        columns: fc.constantFrom<JsonObject>({}, { State: { jsonPath: '.status.managed.state' } }),
      })
      .map(({ sizes, change, versions, description, parameters, cost, columns }) => ({
        service: name,
        kind: `Kind${at}`,
        displayName: name.toUpperCase(),
        description,
        columns,
        versions: Object.fromEntries(versions.map((version) => [version, {}])),
        traits: { size: { values: sizes, change } },
        plans: Object.fromEntries(
          sizes.map((size) => [`${name}-${size}`, { traits: { size }, ...(cost === undefined ? {} : { cost }) }]),
        ),
        parameters,
        backends: Object.fromEntries(backends.map((backend) => [backend, backendPart(backend, sizes)])),
      })),
  );

function backendPart(backend: string, sizes: readonly string[]): JsonObject {
  if (backend === 'vm') return { operations: ['backup'] };
  const values = Object.fromEntries(sizes.map((size, at) => [size, `${at + 1}Gi`]));
  return {
    base: { apiVersion: 'pod.example.org/v1', kind: 'Pod' },
    patches: { 'spec.storage': { trait: 'size', values } },
  };
}

const backends: Layer = {
  'backends/vm.yaml': {
    backend: 'vm',
    displayName: 'VM',
    description: 'Machines.',
    through: 'resource',
    instance: {
      base: { apiVersion: 'vm.example.org/v1', kind: 'Instance' },
      patches: { 'spec.plan': 'spec.plan' },
      parametersAt: 'spec.parameters',
    },
    operations: { backup: { base: { apiVersion: 'vm.example.org/v1', kind: 'Backup' } } },
  },
  'backends/pod.yaml': { backend: 'pod', displayName: 'Pod', description: 'Pods.', through: 'object' },
  'operations/backup.yaml': {
    operation: 'backup',
    kind: 'Backup',
    displayName: 'Backup',
    description: 'A copy.',
    fields: {
      instanceRef: { schema: { type: 'string' }, required: true, vm: 'spec.instance' },
      serviceInstanceType: { schema: { type: 'string' }, required: true, vm: { 'spec.type': { format: '%s-broker' } } },
    },
  },
};

export const arbitraryLayer: fc.Arbitrary<Layer> = words(1, 3).chain((names) =>
  fc.tuple(...names.map((name, at) => service(name, at))).map((services) => ({
    ...backends,
    ...Object.fromEntries(services.map((content, at) => [`services/${names[at]}.yaml`, content])),
  })),
);

/** Damage to a value somewhere in JSON: another value there, or none. */
export function damaged(value: Json, at: number, by: Json | undefined): Json {
  const places = placesIn(value);
  const place = places[at % places.length] ?? [];
  return replaced(value, place, by) ?? {};
}

function placesIn(value: Json): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, part]: [string, Json]) =>
    placesIn(part).map((rest) => [key, ...rest]),
  );
  return [[], ...inner];
}

function replaced(value: Json, [key, ...rest]: readonly string[], by: Json | undefined): Json | undefined {
  if (key === undefined) return by;
  const entries = Object.entries(value as JsonObject).flatMap(([name, part]): [string, Json][] => {
    if (name !== key) return [[name, part]];
    const changed = replaced(part, rest, by);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
