import { combine, instance, on, pairs, type Row, type Spec } from './row.ts';

/** The other kinds (catalog.md §4.2 to §4.11 and §13), typed by hand. */

const types = ['keyvalue', 'postgresql', 'mongodb', 'search', 'logme2', 'prometheus', 'messaging', 'mariadb'];

const plainMariadbPlans = [
  'mariadb-single-nano',
  'mariadb-single-small',
  'mariadb-single-big',
  'mariadb-cluster-small',
  'mariadb-cluster-big',
];
const singleKeyvaluePlans = [
  'keyvalue-single-nano-ssl',
  'keyvalue-single-small-ssl',
  'keyvalue-single-medium-ssl',
  'keyvalue-single-big-ssl',
];
const replicaKeyvaluePlans = ['keyvalue-replica-small-ssl', 'keyvalue-replica-medium-ssl', 'keyvalue-replica-big-ssl'];
const prometheusPlans = [
  'prometheus-single-small',
  'prometheus-single-big',
  'promgraf2-single-small',
  'promgraf2-single-big',
  'prometheus2-grafana10-single-small',
  'prometheus2-grafana10-single-big',
];

const clusterOnly: Spec = {
  replBacklogSize: '1mb',
  minReplicasToWrite: 1,
  minReplicasMaxLag: 10,
  downAfterMilliseconds: 5000,
  failoverTimeout: 60000,
  hostnameResolution: 'enabled',
};

/** What the example of old had: every parameter on a plan with a single node. */
const brokenExample: Spec = {
  ...clusterOnly,
  snapshot: "['save 900 1','save 300 10']",
  lazyfreeLazyEviction: 'yes',
  lazyfreeLazyExpire: 'no',
  maxmemory: 'dynamic',
  maxmemoryPolicy: 'noeviction',
  maxmemorySamples: 5,
  maxclients: 10000,
  tlsProtocols: 'TLSv1.2 TLSv1.3',
  luaTimeLimit: 5000,
  notifyKeyspaceEvents: 'KEA',
};

const keyvalue = (plan: string, parameters?: Spec) => instance('a9s-keyvalue8', plan, parameters);
const expiring = (expireAfterSeconds: unknown) =>
  instance('a9s-mongodb70', 'mongodbsspl-single-nano', {
    setClusterParameter: { changeStreamOptions: { preAndPostImages: { expireAfterSeconds } } },
  });
const backup = (serviceInstanceType: string) => ({ instanceRef: 'orders', serviceInstanceType });

const create: readonly Row[] = [
  ...plainMariadbPlans.map((plan) => ({
    id: 'CAT-23',
    kind: 'MariadbInstance',
    spec: instance('a9s-mariadb1011', plan),
    refused: 'only supports ssl plans',
  })),
  ...combine(singleKeyvaluePlans, Object.entries(clusterOnly)).map(([plan, [name, value]]) => ({
    id: 'CAT-24',
    kind: 'KeyvalueInstance',
    spec: keyvalue(plan, { [name]: value }),
    refused: `${name} is only supported`,
  })),
  {
    id: 'CAT-25',
    kind: 'KeyvalueInstance',
    spec: keyvalue('keyvalue-single-nano-ssl', brokenExample),
    refused: 'only supported',
  },
  ...['off', 0, 100].map((value) => ({ id: 'CAT-26', kind: 'MongodbInstance', spec: expiring(value) })),
  ...[-1, 'on'].map((value) => ({
    id: 'CAT-27',
    kind: 'MongodbInstance',
    spec: expiring(value),
    refused: 'preAndPostImages.expireAfterSeconds',
  })),
  {
    id: 'CAT-28',
    kind: 'MessagingInstance',
    spec: instance('a9s-messaging4', 'messaging-single-nano', { consumerTimeout: 1799999 }),
    refused: 'should be greater than or equal to 1800000',
  },
  {
    id: 'CAT-29',
    kind: 'Logme2Instance',
    spec: instance('a9s-logme2', 'logme-single-small-ssl', { fluentdTcp: 0 }),
    refused: 'should be greater than or equal to 1',
  },
  ...types
    .filter((type) => type !== 'postgresql')
    .map((type) => ({
      id: 'CAT-30',
      kind: 'Backup',
      spec: on('a8s-backup', backup(type)),
      refused: 'Unsupported serviceInstanceType used',
    })),
  {
    id: 'CAT-30',
    kind: 'Backup',
    spec: on('a8s-backup', { serviceInstanceType: 'postgresql' }),
    refused: 'spec.instanceRef: Required value',
  },
  {
    id: 'CAT-30',
    kind: 'Backup',
    spec: on('a8s-backup', { instanceRef: 'orders' }),
    refused: 'spec.serviceInstanceType: Required value',
  },
  ...types.map((type) => ({ id: 'CAT-31', kind: 'Backup', spec: on('a9s-backup', backup(type)) })),
  {
    id: 'CAT-32',
    kind: 'Restore',
    spec: on('a8s-restore', { backupRef: 'monday', serviceInstanceType: 'postgresql' }),
    refused: 'instanceRef',
  },
  ...types.map((serviceInstanceType) => ({
    id: 'CAT-33',
    kind: 'Restore',
    spec: on('a9s-restore', { backupRef: 'monday', serviceInstanceType }),
  })),
];

const replan = (id: string, kind: string, service: string, from: string, to: string, refused?: string): Row => ({
  id,
  kind,
  before: instance(service, from),
  spec: instance(service, to),
  refused,
});

const size = 'smaller plan size is not supported';
const search = (from: string, to: string, refused?: string) =>
  replan('CAT-36', 'SearchInstance', 'a9s-search2', from, to, refused);

const update: readonly Row[] = [
  ...['a9s-mariadb106', 'a9s-mariadb1011'].map((service) =>
    replan('CAT-34', 'MariadbInstance', service, 'mariadb-single-nano-ssl', 'mariadb-cluster-small-ssl'),
  ),
  ...['a9s-mongodb50', 'a9s-mongodb70'].map((service) =>
    replan('CAT-35', 'MongodbInstance', service, 'mongodbsspl-single-small', 'mongodbsspl-single-nano', size),
  ),
  search('search-single-nano-ssl', 'search-cluster-medium-ssl'),
  search('search-cluster-medium-ssl', 'search-cluster-small-ssl', size),
  replan(
    'CAT-37',
    'Logme2Instance',
    'a9s-logme2',
    'logme-single-small-ssl',
    'logme-cluster-small-ssl',
    'not supported',
  ),
  ...pairs(prometheusPlans).map(([from, to]) =>
    replan('CAT-38', 'PrometheusInstance', 'a9s-prometheus', from, to, 'not supported'),
  ),
  ...combine(singleKeyvaluePlans, replicaKeyvaluePlans)
    .flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
    .map(([from, to]) => replan('CAT-39', 'KeyvalueInstance', 'a9s-keyvalue8', from, to, 'not supported')),
];

export const others: readonly Row[] = [...create, ...update];
