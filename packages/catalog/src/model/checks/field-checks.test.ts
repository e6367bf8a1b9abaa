import { describe } from 'vitest';
import { cache, queue, says } from './says.fixture.ts';

const parameter = (schema: string) => cache(`parameters:\n  a: { schema: ${schema}, vm: a }`);

const inParameter = (column: number, message: string) => `my/services/cache.yaml:2:${column} ${message}`;

describe('schemas of fields', () => {
  says([
    [
      'a schema without a type',
      parameter('{ minimum: 1 }'),
      inParameter(8, 'A schema needs a "type": string, integer, number, boolean, array or object.'),
    ],
    [
      'a list of anything',
      parameter('{ type: array }'),
      inParameter(24, 'A list needs "items" that say what is in it.'),
    ],
    [
      'a bad pattern',
      parameter('{ type: string, pattern: "(" }'),
      inParameter(41, 'This is no regular expression of RE2: error parsing regexp: missing closing ): `(`.'),
    ],
    [
      'true where texts are meant',
      parameter('{ type: string, enum: [true] }'),
      inParameter(32, 'true is not of the type string; put it in quotes to make it a text.'),
    ],
    ['a value twice', parameter('{ type: string, enum: [a, b, a] }'), inParameter(32, '"a" is here twice.')],
    [
      'limits that allow nothing',
      parameter('{ type: integer, minimum: 3, maximum: 2 }'),
      inParameter(54, 'No value is allowed: "maximum" is less than "minimum".'),
    ],
    [
      'a limit of another type',
      parameter('{ type: string, minimum: 1 }'),
      inParameter(41, '"minimum" is for the type integer or number only.'),
    ],
    [
      'a required field that is not described',
      parameter('{ type: object, required: [x], properties: {} }'),
      inParameter(32, '"x" is required, but it is not under "properties".'),
    ],
    [
      'a schema inside without a type',
      parameter('{ type: object, properties: { y: {} } }'),
      inParameter(46, 'A schema needs a "type": string, integer, number, boolean, array or object.'),
    ],
    [
      'a format that does not exist',
      parameter('{ type: string, format: datetme }'),
      inParameter(40, 'Kubernetes knows no format "datetme" and would not check it.'),
    ],
    [
      'a type beside int-or-string',
      parameter('{ type: string, x-kubernetes-int-or-string: true }'),
      inParameter(24, 'Leave "type" out beside x-kubernetes-int-or-string.'),
    ],
    [
      'fields both described and free',
      parameter('{ type: object, properties: {}, additionalProperties: { type: string } }'),
      inParameter(48, 'Use either "properties" or "additionalProperties", not both.'),
    ],
    [
      'a bad pattern of what is excluded',
      parameter('{ type: string, not: { pattern: "[" } }'),
      inParameter(32, 'This is no regular expression of RE2: error parsing regexp: missing closing ]: `[`.'),
    ],
    [
      'nothing in a number or a text with limits for each',
      parameter('{ x-kubernetes-int-or-string: true, minimum: 0, pattern: ^off$ }'),
    ],
    ['nothing in a number that must not be zero', parameter('{ type: integer, minimum: -1, not: { enum: [0] } }')],
  ]);
});

describe('required fields', () => {
  says([
    [
      'a required parameter that a backend refuses',
      cache('parameters:\n  a: { schema: { type: string }, required: true, vm: a }'),
      'my/services/cache.yaml:2:3 "a" is required, but pod would refuse it; say where it goes there, or "ignored".',
    ],
  ]);
});

describe('composed objects', () => {
  says([
    [
      'an object without a kind',
      cache('backends: { pod: { base: { kind: null } } }'),
      'my/services/cache.yaml:1:20 The object that is composed needs a "kind" in its base.',
    ],
    [
      'readiness of an object of a provider',
      cache('backends:\n  vm: { ready: "true" }'),
      'my/services/cache.yaml:2:16 Objects of a provider say themselves when they are ready; leave "ready" out.',
    ],
    [
      'readiness that is no CEL',
      cache('backends:\n  pod: { ready: object.status. }'),
      `my/services/cache.yaml:2:17 This is no CEL expression about "object" that is true or false: compilation failed: ERROR: <input>:1:15: Syntax error: no viable alternative at input '.'.`,
    ],
    [
      'readiness that is neither true nor false',
      cache('backends:\n  pod: { ready: size(object.status) }'),
      'my/services/cache.yaml:2:17 This is no CEL expression about "object" that is true or false: must evaluate to bool but got int.',
    ],
    [
      'readiness of which only an object tells whether it is true or false',
      cache('backends:\n  pod: { ready: object.status.ready }'),
      'my/services/cache.yaml:2:17 This is no CEL expression about "object" that is true or false: must evaluate to bool but got dyn.',
    ],
    [
      'a status that is no path',
      cache('backends: { pod: { status: { state: .status } } }'),
      'my/services/cache.yaml:1:37 This is no path; write one such as status.atProvider.state.',
    ],
  ]);
});

describe('paths', () => {
  says([
    [
      'two parameters that go to one place',
      cache('parameters:\n  a: { schema: { type: string }, vm: max_keys }'),
      'my/services/cache.yaml:2:38 spec.parameters.maxKeys goes to spec.forProvider.parameters.max_keys already; each value needs a place of its own on vm.',
    ],
    [
      'a field that goes around another',
      queue('plans: { q: {} }\nfields:\n  a: { schema: { type: object }, vm: spec.forProvider }\nbackends: { vm: {} }'),
      'my/services/queue.yaml:7:38 spec.plan goes to spec.forProvider.plan already; each value needs a place of its own on vm.',
    ],
    [
      'what is no path',
      cache('fields:\n  a: { schema: { type: string }, vm: spec..x }'),
      'my/services/cache.yaml:2:38 "spec..x" is no path; write one such as spec.forProvider.region or metadata.labels[example.org/name].',
    ],
  ]);
});

describe('mappings', () => {
  says([
    [
      'a plan whose trait means nothing on a backend',
      cache('traits:\n  size: { values: [small, big, huge] }\nplans:\n  cache-huge: { traits: { size: huge } }'),
      'my/services/cache.yaml:4:3 On pod, spec.storage has no value for "cache-huge"; add one to the transforms of spec.plan.',
    ],
    [
      'a version that is no number',
      cache(
        'versions:\n  cacheX: {}\nbackends:\n  pod:\n    patches:\n      spec.version: { from: spec.service, transforms: [{ trim-prefix: cache }, integer] }',
      ),
      'my/services/cache.yaml:2:3 On pod, spec.version has no value for "cacheX"; add one to the transforms of spec.service.',
    ],
    [
      'a service that an operation knows nothing for',
      queue('backends:\n  pod:\n    base: { apiVersion: a/v1, kind: Q }\n    operations: [backup]'),
      'my/services/queue.yaml:8:5 On pod, spec.kind has no value for "queue"; add one to the transforms of spec.serviceInstanceType.',
    ],
    [
      'a field with a value that is not mapped',
      cache('fields:\n  mode: { pod: { spec.mode: { map: { fast: 1 } } } }'),
      'my/services/cache.yaml:2:18 On pod, spec.mode has no value for "safe"; add one to the transforms of spec.mode.',
    ],
    [
      'a service that does not exist',
      { 'operations/backup': 'fields:\n  serviceInstanceType: { pod: { spec.kind: { map: { cash: Cash } } } }' },
      'my/operations/backup.yaml:2:33 There is no "cash" in spec.serviceInstanceType; allowed is cache.',
    ],
    [
      'values of traits that do not exist',
      cache(
        'backends: { pod: { patches: { spec.storage: { values: { smal: 1Gi } }, spec.cpu: { trait: cpu, values: {} } } } }',
      ),
      'my/services/cache.yaml:1:31 The trait "size" has no value "smal"; allowed are small, big; did you mean "small"?',
      'my/services/cache.yaml:1:72 There is no trait "cpu"; allowed are size, ssl.',
    ],
    [
      'traits of what is no plan',
      cache('fields:\n  mode: { pod: { spec.mode: { trait: size, values: { small: 1, big: 2 } } } }'),
      'my/services/cache.yaml:2:18 Only plans have traits; use "trait" as the first transform of spec.plan.',
    ],
    [
      'a map of texts that nobody knows beforehand',
      cache('fields:\n  a: { schema: { type: string }, vm: { a: { map: { x: y } } } }'),
      'my/services/cache.yaml:2:40 "map" needs values that are known beforehand; give spec.a a schema with an enum of texts.',
    ],
    [
      'a format without a place for the value',
      cache('fields:\n  a: { schema: { type: string }, vm: { a: { format: x } } }'),
      'my/services/cache.yaml:2:40 A format needs %s once, and no other %.',
    ],
  ]);
});
