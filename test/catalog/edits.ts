import type { SourceFile } from '@klutch/catalog';
import fc from 'fast-check';
import { stringify } from 'yaml';

/** One edit of an operator, as a file of his own folder. Some are mistakes. */
export interface Edit {
  readonly what: string;
  readonly file: SourceFile;
}

const services = {
  postgresql: { plan: 'postgresql-single-nano', traits: { topology: ['single', 'replica'], size: ['nano', 'big'] } },
  mariadb: { plan: 'mariadb-single-nano', traits: { topology: ['single', 'cluster'], size: ['small', 'big'] } },
  keyvalue: { plan: 'keyvalue-single-nano-ssl', traits: { topology: ['single', 'replica'], size: ['medium', 'big'] } },
} as const;

const service = fc.constantFrom(...(Object.keys(services) as (keyof typeof services)[]));
const backend = fc.constantFrom('a9s', 'a9s', 'a9s', 'a8s', 'aws');

/** Names as people choose them, and some that no Kubernetes would take. */
const name = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z][a-zA-Z0-9_]{1,20}$/) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'in',
      'null',
      'true',
      '$ref',
      'a.b',
      'a/b',
      'a b',
      '-',
      '_',
      'größe',
      '__proto__',
      'X'.repeat(300),
    ),
  },
);

const scalar = fc.oneof(
  fc.constantFrom('a', '', '0', 'TLSv1.2', 'ä'),
  fc.integer({ min: -5, max: 70_000 }),
  fc.boolean(),
  fc.constant(1.5),
);

/** Schemas of fields, of which some contradict themselves. */
const schema: fc.Arbitrary<object> = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'number', 'boolean'),
        enum: fc.array(scalar, { maxLength: 3 }),
        format: fc.constantFrom('date-time', 'int32', 'duration', 'email', 'colour'),
        pattern: fc.constantFrom('^a+$', '[', '(?=a)b', '\\d+', '^(a|b)*$'),
        minLength: fc.integer({ min: -1, max: 5 }),
        maxLength: fc.integer({ min: 0, max: 5 }),
        minimum: fc.integer({ min: -5, max: 5 }),
        maximum: fc.integer({ min: -5, max: 5 }),
        nullable: fc.boolean(),
        not: fc.constantFrom({ enum: [0] }, { pattern: '^x' }, { type: 'string' }),
        description: fc.string({ maxLength: 20 }),
        'x-kubernetes-int-or-string': fc.constant(true),
      },
      { requiredKeys: [] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }, { requiredKeys: ['type'] }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        required: fc.array(name, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        'x-kubernetes-preserve-unknown-fields': fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
  ),
})).schema;

/** Schemas as people write them, so that not nearly all edits are refused. */
const plainSchema = fc.oneof(
  fc.constantFrom({ type: 'string' }, { type: 'boolean' }, { type: 'string', pattern: '^[a-z]+$', maxLength: 20 }),
  fc.record({ type: fc.constant('integer'), minimum: fc.nat(5), maximum: fc.integer({ min: 5, max: 9 }) }),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }) }),
  fc.constant({ type: 'array', items: { type: 'string' } }),
  fc.constant({ type: 'object', properties: { inner: { type: 'integer' } } }),
);

const inService = (arbitrary: fc.Arbitrary<readonly [keyof typeof services, string, object]>): fc.Arbitrary<Edit> =>
  arbitrary.map(([of, what, content]) => ({
    what: `${what} of ${of}`,
    file: { path: `services/${of}.yaml`, text: stringify(content) },
  }));

const plan = service.chain((of) =>
  fc
    .record({
      name,
      topology: fc.constantFrom(...services[of].traits.topology, ...services[of].traits.topology, 'ring'),
      size: fc.constantFrom(...services[of].traits.size, ...services[of].traits.size, 'huge'),
      retired: fc.boolean(),
      limits: fc.dictionary(fc.constantFrom('memory', 'storage'), fc.constantFrom('1Gi', '2Gi')),
    })
    .map(
      ({ name, topology, size, ...rest }) =>
        [of, 'a plan', { plans: { [name]: { traits: { topology, size }, ...rest } } }] as const,
    ),
);

const withoutPlan = fc.tuple(service, fc.boolean()).map(([of, isRetired]) => {
  const gone = services[of].plan;
  return [of, 'a plan that goes', { plans: { [gone]: isRetired ? { retired: true } : null } }] as const;
});

const version = fc
  .tuple(service, name, fc.array(backend, { minLength: 1, maxLength: 2 }))
  .map(([of, called, backends]) => [of, 'a version', { versions: { [called]: { backends } } }] as const);

const parameter = fc
  .record({
    of: service,
    called: name,
    schema: fc.oneof({ weight: 2, arbitrary: plainSchema }, { weight: 1, arbitrary: schema }),
    immutable: fc.boolean(),
    required: fc.constantFrom(false, false, true),
    place: fc.constantFrom('parameters', 'fields'),
    target: fc.constantFrom('some_key', 'some.path', 'spec.some', 'ignored', 'a[', ''),
  })
  .map(
    ({ of, called, place, target, ...field }) =>
      [of, `one of the ${place}`, { [place]: { [called]: { ...field, a9s: target } } }] as const,
  );

const condition = fc.oneof(
  backend.map((one) => ({ backend: [one] })),
  fc.constantFrom({ version: ['a9s-postgresql13'] }, { plan: ['mariadb-single-nano'] }, { plan: ['none'] }),
  fc.constantFrom('small', 'big', 'huge').map((value) => ({ trait: 'size', in: [value] })),
  fc
    .constantFrom('parameters.databases', 'parameters.maxclients', 'plan', 'compositionRef', 'a.b.c', '')
    .map((set) => ({ set })),
  fc.constantFrom('plan', 'service', 'parameters.none').map((field) => ({ field, in: ['a', 'b'] })),
);

const requirement = fc
  .record({
    of: service,
    when: fc.array(condition, { maxLength: 2 }),
    then: fc.array(condition, { maxLength: 2 }),
    message: fc.string(),
  })
  .map(
    ({ of, when, then, message }) =>
      [of, 'a requirement', { requires: { own: { ...(when.length > 0 ? { when } : {}), then, message } } }] as const,
  );

const trait = fc
  .record({
    of: service,
    called: name,
    values: fc.array(name, { maxLength: 3 }),
    change: fc.constantFrom('any', 'grow', 'never', 'shrink'),
  })
  .map(({ of, called, values, change }) => [of, 'a trait', { traits: { [called]: { values, change } } }] as const);

const kind = fc
  .record({
    of: service,
    kind: fc.constantFrom('Cache', 'cache', 'PostgresqlInstance', 'Backup', 'My Kind', 'X1', ''),
    group: fc.constantFrom('anynines.com', 'data.example.org', 'example', 'UPPER.org', 'k8s.io'),
    plural: fc.constantFrom(undefined, 'caches', 'Caches', 'a.b', 'backups'),
  })
  .map(({ of, ...names }) => [of, 'names', names] as const);

const column = fc
  .record({
    of: service,
    called: name,
    jsonPath: fc.constantFrom('.status.managed.state', 'status', '.spec[', '{.a}', ''),
  })
  .map(({ of, called, jsonPath }) => [of, 'a column', { columns: { [called]: { jsonPath } } }] as const);

const anotherService = fc
  .record({
    called: name,
    kind: fc.constantFrom('Thing', 'ThingInstance', 'Thing_1', 'MariadbInstance'),
    backend,
    plans: fc.array(name, { maxLength: 4 }),
  })
  .map(({ called, kind, backend, plans }) => ({
    what: 'a service',
    file: {
      path: `services/${called}.yaml`,
      text: stringify({
        service: called,
        kind,
        displayName: 'Thing',
        description: 'Something else.',
        plans: Object.fromEntries(plans.map((plan) => [plan, {}])),
        backends: { [backend]: { operations: ['servicebinding'] } },
      }),
    },
  }));

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: inService(plan) },
  { weight: 2, arbitrary: inService(withoutPlan) },
  { weight: 2, arbitrary: inService(version) },
  { weight: 6, arbitrary: inService(parameter) },
  { weight: 3, arbitrary: inService(requirement) },
  { weight: 1, arbitrary: inService(trait) },
  { weight: 1, arbitrary: inService(kind) },
  { weight: 1, arbitrary: inService(column) },
  { weight: 2, arbitrary: anotherService },
);
