import { describe } from 'vitest';
import { cache, queue, says } from './says.fixture.ts';

describe('a catalogue that is good', () => {
  says([
    ['nothing', {}],
    ['nothing in a further service', queue('backends: { vm: {} }')],
    [
      'nothing when a plan is retired, changed or removed',
      cache('plans: { cache-big: null, cache-small: { retired: true } }'),
    ],
  ]);
});

describe('unique kinds', () => {
  says([
    [
      'two services with one kind',
      queue('backends: { vm: {} }', 'CacheInstance'),
      'my/services/queue.yaml:2:7 The service "cache" has the kinds CacheInstance and XCacheInstance; choose another kind.',
      'services/cache.yaml:3:7 The service "queue" has the kinds CacheInstance and XCacheInstance; choose another kind.',
    ],
    [
      'a service and an operation with one plural',
      queue('plural: backups\nbackends: { vm: {} }'),
      'my/services/queue.yaml:5:9 The operation "backup" has the plurals backups and xbackups; choose another plural.',
      'operations/backup.yaml:3:7 The service "queue" has the plurals backups and xbackups; choose another plural.',
    ],
    [
      'a kind that composites of another have',
      queue('backends: { vm: {} }', 'XBackup'),
      'my/services/queue.yaml:2:7 The operation "backup" has the kinds Backup and XBackup; choose another kind.',
      'operations/backup.yaml:3:7 The service "queue" has the kinds XBackup and XXBackup; choose another kind.',
    ],
    ['nothing when the groups differ', queue('group: example.org\nbackends: { vm: {} }', 'CacheInstance')],
  ]);
});

describe('names of Kubernetes', () => {
  says([
    [
      'a kind, a plural and a group that Kubernetes refuses',
      queue('plural: Queues\ngroup: example\nbackends: { vm: {} }', 'queueInstance'),
      'my/services/queue.yaml:2:7 "queueInstance" cannot be a kind; write up to 58 letters and digits, the first in upper case.',
      'my/services/queue.yaml:5:9 "Queues" cannot be a plural; write up to 62 lower-case letters, digits and dashes.',
      'my/services/queue.yaml:6:8 "example" cannot be an API group; write a domain in lower case, such as example.org.',
    ],
    [
      'a group that only Kubernetes may use',
      queue('group: storage.k8s.io\nbackends: { vm: {} }', 'Queue'),
      'my/services/queue.yaml:5:8 "storage.k8s.io" is for Kubernetes alone; write a domain of your own, such as example.org.',
    ],
    [
      'a kind that is too long for its list',
      queue('backends: { vm: {} }', `Q${'u'.repeat(58)}`),
      `my/services/queue.yaml:2:7 "Q${'u'.repeat(58)}" cannot be a kind; write up to 58 letters and digits, the first in upper case.`,
    ],
    [
      'fields that cannot be fields, or are taken',
      queue(
        'fields:\n  plan: { schema: { type: string }, vm: a }\n  b.c: { schema: { type: string }, vm: b }\nbackends: { vm: {} }',
      ),
      'my/services/queue.yaml:6:3 Every claim has a field "plan" of its own; choose another name.',
      'my/services/queue.yaml:7:3 "b.c" cannot be a field; write up to 63 letters, digits, dashes and underscores.',
    ],
    [
      'a Composition whose name is too long for a label',
      {
        [`backends/${'b'.repeat(40)}`]: `backend: ${'b'.repeat(40)}\ndisplayName: B\ndescription: B.\nthrough: resource\ninstance: { base: { apiVersion: b/v1, kind: B } }`,
        [`services/${'s'.repeat(30)}`]: `service: ${'s'.repeat(30)}\nkind: S\ndisplayName: S\ndescription: S.\nbackends: { ${'b'.repeat(40)}: {} }`,
      },
      `my/services/${'s'.repeat(30)}.yaml:1:10 The Composition ${'b'.repeat(40)}-${'s'.repeat(30)} would have a name of more than 63 characters; use a shorter one.`,
    ],
    [
      'a column without a path',
      cache('columns: { State: { jsonPath: status.state } }'),
      'my/services/cache.yaml:1:31 "status.state" is no path; write one such as .status.managed.state.',
    ],
  ]);
});

describe('known backends and operations', () => {
  says([
    [
      'a backend that does not exist',
      cache('backends:\n  pods: {}'),
      'my/services/cache.yaml:2:3 There is no backend "pods"; allowed are pod, vm; did you mean "pod"?',
    ],
    [
      'a plan and a version on a backend that the service does not have',
      queue('plans:\n  q: { backends: [pod] }\nversions:\n  q1: { backends: [vm, pod] }\nbackends: { vm: {} }'),
      'my/services/queue.yaml:6:3 Nobody can have the plan "q": no backend has it together with a version that the requirements allow; retire it or change them.',
      'my/services/queue.yaml:6:19 Queue has no backend "pod"; allowed is vm.',
      'my/services/queue.yaml:8:3 Nobody can have the version "q1": no backend has it together with a plan that the requirements allow; retire it or change them.',
      'my/services/queue.yaml:8:24 Queue has no backend "pod"; allowed is vm.',
    ],
    [
      'a default backend that the service does not have',
      cache('defaultBackend: vms'),
      'my/services/cache.yaml:1:17 Cache has no backend "vms"; allowed are vm, pod; did you mean "vm"?',
    ],
    [
      'a field that goes to a backend that the service does not have',
      cache('parameters:\n  maxKeys: { vms: x }'),
      'my/services/cache.yaml:2:19 Cache has no backend "vms"; allowed are vm, pod; did you mean "vm"?',
    ],
    [
      'a service without a backend',
      queue('backends: {}'),
      'my/services/queue.yaml:5:1 A service needs a backend; name at least one.',
    ],
    [
      'an operation that the backend does not have',
      queue('backends: { vm: { operations: [restore] } }'),
      'my/services/queue.yaml:5:32 The backend "vm" has no operation "restore"; allowed is backup.',
    ],
    [
      'an operation that no backend has',
      { 'operations/restore': 'operation: restore\nkind: Restore\ndisplayName: Restore\ndescription: Back again.' },
      'my/operations/restore.yaml:1:12 No backend has the operation "restore"; say under "operations" of a backend what it composes.',
    ],
  ]);
});

describe('traits of plans', () => {
  says([
    [
      'an unknown trait',
      cache('plans:\n  a: { traits: { sise: big } }'),
      'my/services/cache.yaml:2:24 There is no trait "sise"; allowed are size, ssl; did you mean "size"?',
    ],
    [
      'an unknown value',
      cache('plans:\n  a: { traits: { size: bigg } }'),
      'my/services/cache.yaml:2:24 The trait "size" has no value "bigg"; allowed are small, big; did you mean "big"?',
    ],
    [
      'a value with two places in the order',
      cache('traits:\n  size: { values: [small, big, small] }'),
      'my/services/cache.yaml:2:32 "small" is here twice; a value has one place in the order.',
    ],
  ]);
});

describe('requirements', () => {
  says([
    [
      'names that do not exist',
      cache(
        'requires:\n  a:\n    when: [{ trait: sise, in: [x] }, { version: [cache3] }, { trait: ssl, in: [y] }]\n    then: [{ set: parameters.maxKey }, { plan: [x] }, { backend: [p] }, { field: mode, in: [slow] }]\n    message: No.',
      ),
      'my/services/cache.yaml:3:21 There is no trait "sise" here; allowed are size, ssl; did you mean "size"?',
      'my/services/cache.yaml:3:50 There is no version "cache3" here; allowed are cache1, cache2; did you mean "cache1"?',
      'my/services/cache.yaml:3:80 There is no value of the trait "ssl" "y" here; allowed are no, yes.',
      'my/services/cache.yaml:4:19 There is no field "parameters.maxKey" here; allowed are mode, parameters.maxKeys; did you mean "parameters.maxKeys"?',
      'my/services/cache.yaml:4:49 There is no plan "x" here; allowed are cache-small, cache-big, cache-big-ssl.',
      'my/services/cache.yaml:4:67 There is no backend "p" here; allowed are vm, pod.',
      'my/services/cache.yaml:4:93 There is no value "slow" here; allowed are fast, safe.',
    ],
    [
      'a service that does not exist, in an operation',
      {
        'operations/backup':
          'requires:\n  a:\n    then: [{ field: serviceInstanceType, in: [cash] }]\n    message: No.',
      },
      'my/operations/backup.yaml:3:47 There is no service "cash" here; allowed is cache.',
    ],
    [
      'a plan that nobody could have',
      cache(
        'requires:\n  a: { when: [{ trait: ssl, in: ["yes"] }], then: [{ version: [cache1] }], message: No. }\nversions: { cache1: { backends: [pod] } }',
      ),
      'services/cache.yaml:16:3 Nobody can have the plan "cache-big-ssl": no backend has it together with a version that the requirements allow; retire it or change them.',
    ],
    [
      'versions that are all retired',
      cache('versions:\n  cache1: { retired: true }\n  cache2: { retired: true }'),
      'my/services/cache.yaml:1:1 All versions are retired, so nobody can have Cache; keep at least one.',
    ],
  ]);
});

describe('changes that lose data', () => {
  const loss = (at: string, from: string, to: string, what: string) =>
    `my/services/cache.yaml:${at} An instance may change from plan "${from}" to "${to}", which would make ${what} and lose data; order the values of a trait so that it only grows, or let it never change.`;
  says([
    [
      'a trait whose order contradicts what it means',
      cache('traits:\n  size: { values: [big, small] }'),
      loss('2:11', 'cache-big', 'cache-small', 'spec.storage smaller (2Gi to 1Gi)'),
    ],
    [
      'a trait that may change both ways',
      cache('traits:\n  size: { change: any }'),
      loss('2:19', 'cache-big', 'cache-small', 'spec.storage smaller (2Gi to 1Gi)'),
    ],
    [
      'storage that shrinks while the trait grows',
      cache('backends: { pod: { patches: { spec.storage: { values: { big: 500Mi } } } } }'),
      loss('1:31', 'cache-small', 'cache-big', 'spec.storage smaller (1Gi to 500Mi)'),
    ],
    [
      'plans that say that they shrink',
      cache('plans:\n  cache-small: { limits: { storage: 5Gi } }\n  cache-big: { limits: { storage: 3Gi } }'),
      loss('3:35', 'cache-small', 'cache-big', 'storage smaller (5Gi to 3Gi)'),
    ],
    ['nothing when plans never change', cache('planChange: never\ntraits:\n  size: { change: any }')],
  ]);
});
