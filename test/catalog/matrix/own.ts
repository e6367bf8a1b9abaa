import { a8s, a8sOnlyParameters, a9s, a9sOnlyParameters } from './postgresql.ts';
import { instance, on, type Row, type Spec } from './row.ts';

/** What §3, §4 and §14 of catalog.md say beyond the matrix, typed by hand. The id is the title of the test. */

interface Kind {
  readonly kind: string;
  readonly composition: string;
  readonly spec: Spec;
}

/** A valid claim of each kind of instance with one backend. */
const instances: readonly Kind[] = [
  { kind: 'MariadbInstance', composition: 'a9s-mariadb', spec: instance('a9s-mariadb106', 'mariadb-single-nano-ssl') },
  { kind: 'MongodbInstance', composition: 'a9s-mongodb', spec: instance('a9s-mongodb50', 'mongodbsspl-single-nano') },
  {
    kind: 'MessagingInstance',
    composition: 'a9s-messaging',
    spec: instance('a9s-messaging4', 'messaging-single-nano'),
  },
  { kind: 'SearchInstance', composition: 'a9s-search', spec: instance('a9s-search2', 'search-single-nano-ssl') },
  { kind: 'Logme2Instance', composition: 'a9s-logme2', spec: instance('a9s-logme2', 'logme-single-small-ssl') },
  {
    kind: 'PrometheusInstance',
    composition: 'a9s-prometheus',
    spec: instance('a9s-prometheus', 'promgraf2-single-big'),
  },
  {
    kind: 'KeyvalueInstance',
    composition: 'a9s-keyvalue',
    spec: instance('a9s-keyvalue8', 'keyvalue-single-nano-ssl'),
  },
];
const postgresql: Kind = {
  kind: 'PostgresqlInstance',
  composition: a8s,
  spec: instance('a9s-postgresql13', 'postgresql-single-nano'),
};
const operations: readonly Kind[] = [
  { kind: 'ServiceBinding', composition: 'a8s-servicebinding', spec: { instanceRef: 'orders' } },
  { kind: 'Backup', composition: 'a8s-backup', spec: { instanceRef: 'orders' } },
  { kind: 'Restore', composition: 'a8s-restore', spec: { backupRef: 'monday', instanceRef: 'orders' } },
].map((one) => ({ ...one, spec: { ...one.spec, serviceInstanceType: 'postgresql' } }));

const title = {
  offered: 'instances use versions and plans that are offered',
  composition: 'kinds with one backend take any Composition, PostgreSQL one of its own, operations decide by it',
  kept: 'the Composition of a claim stays once it is set, and the version always',
  plans: 'plans change as the traits of each kind allow',
  parameters: 'parameters of one backend are refused by the other',
  restore: 'a Restore names its instance on a8s, and no point in time',
};

const service = 'a9s-nothing1';
const offered: readonly Row[] = [...instances, postgresql].flatMap(({ kind, spec }) => [
  { id: title.offered, kind, spec },
  { id: title.offered, kind, spec: { ...spec, service }, refused: 'Unsupported service used' },
  { id: title.offered, kind, spec: { ...spec, plan: 'huge' }, refused: 'Unsupported plan used' },
  { id: title.offered, kind, before: spec, spec: { ...spec, plan: 'huge' }, refused: 'Unsupported plan used' },
]);

const compositions: readonly Row[] = [
  ...instances.map(({ kind, spec }) => ({ id: title.composition, kind, spec: on('my-own', spec) })),
  ...['my-own', ''].map((name) => ({
    id: title.composition,
    kind: postgresql.kind,
    spec: on(name, postgresql.spec),
    refused: 'Unsupported compositionRef used',
  })),
  ...operations.flatMap(({ kind, spec }): readonly Row[] => {
    const search = { ...spec, serviceInstanceType: 'search' };
    const refused = 'Unsupported serviceInstanceType used';
    return [
      { id: title.composition, kind, spec },
      { id: title.composition, kind, spec: on('', spec) },
      { id: title.composition, kind, spec: on('my-own', search) },
      { id: title.composition, kind, spec: search, refused },
      { id: title.composition, kind, spec: on('', search), refused },
      { id: title.composition, kind, spec: on('my-own', { ...spec, serviceInstanceType: 's3' }), refused },
    ];
  }),
];

const kept: readonly Row[] = [
  ...[...instances, postgresql, ...operations].flatMap(({ kind, composition, spec }): readonly Row[] => {
    const before = on(composition, spec);
    const other = on(kind === 'PostgresqlInstance' ? a9s : 'my-own', spec);
    return [
      { id: title.kept, kind, before: spec, spec: before },
      { id: title.kept, kind, before, spec: other, refused: 'immutable field' },
      { id: title.kept, kind, before, spec, refused: 'immutable field' },
    ];
  }),
  ...instances.map(({ kind, spec }) => ({
    id: title.kept,
    kind,
    before: spec,
    spec: { ...spec, service },
    refused: 'immutable field',
  })),
  ...(
    [
      ['MariadbInstance', 'a9s-mariadb106', 'a9s-mariadb1011', 'mariadb-single-nano-ssl'],
      ['MongodbInstance', 'a9s-mongodb50', 'a9s-mongodb70', 'mongodbsspl-single-nano'],
      ['MessagingInstance', 'a9s-messaging312', 'a9s-messaging313', 'messaging-single-nano'],
    ] as const
  ).map(([kind, from, to, plan]) => ({
    id: title.kept,
    kind,
    before: instance(from, plan),
    spec: instance(to, plan),
    refused: 'immutable field',
  })),
];

const size = 'smaller plan size is not supported';
const other = 'not supported';
const plans: readonly Row[] = (
  [
    ['MariadbInstance', 'a9s-mariadb106', 'mariadb-cluster-big', 'mariadb-single-big', other],
    ['MariadbInstance', 'a9s-mariadb106', 'mariadb-single-big', 'mariadb-single-small', size],
    ['MariadbInstance', 'a9s-mariadb106', 'mariadb-single-nano', 'mariadb-single-nano-ssl', other],
    ['MariadbInstance', 'a9s-mariadb106', 'mariadb-single-nano-ssl', 'mariadb-single-nano', other],
    ['MongodbInstance', 'a9s-mongodb70', 'mongodbsspl-replica-big', 'mongodbsspl-single-big', other],
    ['MongodbInstance', 'a9s-mongodb70', 'mongodbsspl-single-big-ssl', 'mongodbsspl-replica-big', other],
    ['MongodbInstance', 'a9s-mongodb70', 'mongodbsspl-single-nano', 'mongodbsspl-replica-big', undefined],
    ['MessagingInstance', 'a9s-messaging4', 'messaging-cluster-small', 'messaging-single-small', other],
    ['MessagingInstance', 'a9s-messaging4', 'messaging-cluster-big', 'messaging-cluster-small', size],
    ['MessagingInstance', 'a9s-messaging4', 'messaging-single-nano', 'messaging-single-nano-ssl', other],
    ['MessagingInstance', 'a9s-messaging4', 'messaging-single-small', 'messaging-cluster-small', undefined],
    ['SearchInstance', 'a9s-search2', 'search-cluster-small-ssl', 'search-single-small-ssl', other],
    ['Logme2Instance', 'a9s-logme2', 'logme-cluster-small-ssl', 'logme-single-small-ssl', other],
    ['KeyvalueInstance', 'a9s-keyvalue8', 'keyvalue-single-big-ssl', 'keyvalue-single-medium-ssl', size],
    ['KeyvalueInstance', 'a9s-keyvalue8', 'keyvalue-replica-small-ssl', 'keyvalue-replica-big-ssl', undefined],
  ] as const
).map(([kind, version, from, to, refused]) => ({
  id: title.plans,
  kind,
  before: instance(version, from),
  spec: instance(version, to),
  refused,
}));

const parameters: readonly Row[] = [
  ...Object.entries(a9sOnlyParameters).flatMap(([name, value]): readonly Row[] => {
    const { kind } = postgresql;
    const spec = { ...postgresql.spec, parameters: { [name]: value } };
    const refused = `parameters.${name} is only supported`;
    return [
      { id: title.parameters, kind, spec: on(a9s, spec) },
      { id: title.parameters, kind, spec: on(a8s, spec), refused },
      { id: title.parameters, kind, spec, refused },
      { id: title.parameters, kind, before: on(a8s, postgresql.spec), spec: on(a8s, spec), refused },
    ];
  }),
  ...Object.entries(a8sOnlyParameters).map(([name, value]) => ({
    id: title.parameters,
    kind: postgresql.kind,
    spec: { ...postgresql.spec, parameters: { [name]: value } },
  })),
];

const restore: readonly Row[] = (
  [
    [{ instanceRef: 'orders' }, undefined],
    [{}, 'instanceRef'],
    [{ instanceRef: '' }, 'instanceRef'],
    [{ instanceRef: 'orders', pointInTime: '2026-01-01T00:00:00Z' }, 'pointInTime'],
    [{ compositionRef: { name: 'a9s-restore' }, pointInTime: '2026-01-01T00:00:00Z' }, 'pointInTime'],
  ] as const
).map(([given, refused]) => ({
  id: title.restore,
  kind: 'Restore',
  spec: { backupRef: 'monday', serviceInstanceType: 'postgresql', ...given },
  refused,
}));

export const own: readonly Row[] = [...offered, ...compositions, ...kept, ...plans, ...parameters, ...restore];
