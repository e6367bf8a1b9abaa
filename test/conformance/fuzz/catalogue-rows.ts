/** What must come of a claim: accepted, or the fields that are wrong with part of what is said about each. */
export type Outcome = 'accepted' | readonly (readonly [field: string, says: string])[];

/** A claim that is created; or one that is changed, when there is something before it. */
export interface Row {
  readonly kind: string;
  readonly before?: object;
  readonly spec: object;
  readonly outcome: Outcome;
}

const creating = (kind: string, spec: object, outcome: Outcome): Row => ({ kind, spec, outcome });
const changing = (kind: string, before: object, spec: object, outcome: Outcome): Row => ({
  kind,
  before,
  spec,
  outcome,
});

const composed = (name: string, more: object) => ({ compositionRef: { name }, ...more });
const postgresql = (backend: string, version: number, plan: string, parameters?: object) =>
  composed(`${backend}-postgresql`, {
    service: `a9s-postgresql${version}`,
    plan: `postgresql-${plan}`,
    ...(parameters ? { parameters } : {}),
  });
const of = (service: string, plan: string, parameters?: object) => ({
  service,
  plan,
  ...(parameters ? { parameters } : {}),
});

const P = 'PostgresqlInstance';
const noService: Outcome = [['spec', 'Unsupported service used']];
const noPlan: Outcome = [['spec', 'Unsupported plan used']];
const onlyBionic13: Outcome = [['spec', 'Bionic plans are only supported by a9s-postgresql13']];
const onlyFor = (backend: string, name: string): Outcome => [
  ['spec', `${name} is only supported by ${backend}-postgresql`],
];
const smaller: Outcome = [['spec.plan', 'smaller plan size is not supported']];

const postgresqlCreates: readonly Row[] = [
  ...['single-nano', 'single-medium', 'replica-nano', 'replica-big'].flatMap((plan) => [
    creating(P, postgresql('a8s', 13, plan), 'accepted'),
    creating(P, postgresql('a8s', 14, plan), 'accepted'),
  ]),
  creating(
    P,
    postgresql('a8s', 13, 'replica-big', { maxLocksPerTransaction: 10, sslCiphers: 'HIGH', tempFileLimit: -1 }),
    'accepted',
  ),
  creating(P, postgresql('a8s', 15, 'single-nano'), noService),
  creating(P, postgresql('a8s', 14, 'single-nano-ssl'), noPlan),
  creating(P, postgresql('a8s', 13, 'single-nano-bionic'), noPlan),
  creating(P, postgresql('a8s', 14, 'single-nano', { dataChecksums: 'enabled' }), onlyFor('a9s', 'dataChecksums')),
  creating(P, postgresql('a8s', 14, 'single-nano', { rolePrivileges: ['CREATEDB'] }), onlyFor('a9s', 'rolePrivileges')),
  ...[13, 15, 17].map((version) => creating(P, postgresql('a9s', version, 'single-nano'), 'accepted')),
  creating(P, postgresql('a9s', 13, 'single-nano-ssl', { dataChecksums: 'enabled', maxConnections: 1.5 }), 'accepted'),
  creating(P, postgresql('a9s', 14, 'single-nano'), noService),
  creating(P, postgresql('a9s', 15, 'single-medium'), noPlan),
  creating(P, postgresql('a9s', 13, 'single-nano-bionic'), 'accepted'),
  creating(P, postgresql('a9s', 15, 'single-nano-bionic'), onlyBionic13),
  creating(P, postgresql('a9s', 17, 'replica-big-ssl-bionic'), onlyBionic13),
  creating(P, postgresql('a9s', 13, 'single-nano', { sslCiphers: 'HIGH' }), onlyFor('a8s', 'sslCiphers')),
  creating(
    P,
    postgresql('a9s', 13, 'single-nano', { maxLocksPerTransaction: 10 }),
    onlyFor('a8s', 'maxLocksPerTransaction'),
  ),
  creating(P, postgresql('a8s', 13, 'single-nano', { tempFileLimit: 0 }), [
    ['spec.parameters.tempFileLimit', 'must be -1'],
  ]),
  creating(P, postgresql('a8s', 13, 'single-nano', { walWriterDelay: 0 }), [
    ['spec.parameters.walWriterDelay', 'more than 0'],
  ]),
  creating(P, postgresql('a8s', 13, 'single-nano', { maxLocksPerTransaction: 9 }), [
    ['spec.parameters.maxLocksPerTransaction', 'greater than or equal to 10'],
  ]),
  creating(P, postgresql('a8s', 13, 'single-nano', { clientMinMessages: 'log' }), [
    ['spec.parameters.clientMinMessages', 'Unsupported value: "log"'],
    ['<nil>', 'some validation rules were not checked'],
  ]),
  creating(P, { service: 'a9s-postgresql13', plan: 'postgresql-single-nano' }, [
    ['spec', 'no such key: compositionRef evaluating rule: Unsupported service used'],
    ['spec', 'no such key: compositionRef evaluating rule: Unsupported plan used'],
  ]),
  creating(P, { service: 'a9s-postgresql1', plan: 'postgresql-single-nano' }, [
    ['spec', 'Invalid value: Unsupported service used'],
    ['spec', 'no such key: compositionRef evaluating rule: Unsupported plan used'],
  ]),
];

const plans = (backend: string, from: string, to: string, outcome: Outcome) =>
  changing(P, postgresql(backend, 13, from), postgresql(backend, 13, to), outcome);

const postgresqlChanges: readonly Row[] = [
  ...['single-nano', 'single-small', 'single-medium', 'single-big', 'replica-nano', 'replica-big'].map((to) =>
    plans('a8s', 'single-nano', to, 'accepted'),
  ),
  ...['single-medium', 'single-big', 'replica-small', 'replica-big'].map((to) =>
    plans('a8s', 'single-small', to, 'accepted'),
  ),
  plans('a8s', 'single-big', 'replica-big', 'accepted'),
  plans('a8s', 'single-small', 'single-nano', smaller),
  plans('a8s', 'single-small', 'replica-nano', smaller),
  ...['single-nano', 'single-small', 'single-medium', 'replica-medium'].map((to) =>
    plans('a8s', 'single-big', to, smaller),
  ),
  plans('a8s', 'single-medium', 'single-small', smaller),
  plans('a8s', 'replica-nano', 'single-nano', [['spec.plan', 'from replica to single is not supported']]),
  plans('a8s', 'replica-big', 'single-small', [...smaller, ['spec.plan', 'from replica to single is not supported']]),
  plans('a9s', 'single-nano', 'single-nano-ssl', [['spec.plan', 'a change of ssl is not supported']]),
  plans('a9s', 'single-nano', 'single-nano-bionic', [['spec.plan', 'a change of bionic is not supported']]),
  plans('a9s', 'single-nano-ssl', 'single-small-ssl', 'accepted'),
  plans('a9s', 'single-nano-ssl', 'replica-big-ssl', 'accepted'),
  changing(P, postgresql('a8s', 13, 'single-nano'), postgresql('a8s', 14, 'single-nano'), [
    ['spec.service', 'immutable field'],
  ]),
  // The backend may change, which the rules of the catalogue do not forbid.
  changing(P, postgresql('a8s', 13, 'single-nano'), postgresql('a9s', 13, 'single-nano'), 'accepted'),
];

const K = 'KeyvalueInstance';
const keyvalue = (plan: string, parameters: object) => of('a9s-keyvalue8', `keyvalue-${plan}-ssl`, parameters);
const parameter = (name: string, value: unknown, says?: string) =>
  creating(
    K,
    keyvalue('replica-small', { [name]: value }),
    says === undefined ? 'accepted' : [[`spec.parameters.${name}`, says]],
  );

const keyvalueRows: readonly Row[] = [
  ...Object.entries({
    replBacklogSize: '1mb',
    minReplicasToWrite: 0,
    minReplicasMaxLag: 1,
    downAfterMilliseconds: 0,
    failoverTimeout: 0,
    hostnameResolution: 'enabled',
  }).flatMap(([name, value]) => [
    parameter(name, value),
    creating(K, keyvalue('single-nano', { [name]: value }), [['spec', `${name} is only supported by replica plans`]]),
  ]),
  parameter('minReplicasMaxLag', 0, 'must be more than 0'),
  ...['[]', "['save 1 2']", "['save 1 2','save 10 20']"].map((value) => parameter('snapshot', value)),
  ...['', "['save 0 2']", "['save 1 2', 'save 1 2']", '[save 1 2]'].map((value) =>
    parameter('snapshot', value, 'must be a list of save N M'),
  ),
  ...['1', '10k', '10gb'].map((value) => parameter('replBacklogSize', value)),
  ...['0', '01', '1t', '1b'].map((value) => parameter('replBacklogSize', value, 'must be a size')),
  ...['dynamic', '0', '5m'].map((value) => parameter('maxmemory', value)),
  parameter('maxmemory', '00', 'must be dynamic, 0 or a size'),
  ...['', 'K', 'gxE', 'KEA'].map((value) => parameter('notifyKeyspaceEvents', value)),
  ...['g$', 'Kq', 'K E'].map((value) => parameter('notifyKeyspaceEvents', value, 'must have a K or an E')),
  changing(K, keyvalue('single-small', {}), keyvalue('replica-small', {}), [
    ['spec.plan', 'from single to replica is not supported'],
  ]),
  changing(K, keyvalue('replica-small', {}), keyvalue('single-small', {}), [
    ['spec.plan', 'from replica to single is not supported'],
  ]),
  changing(K, keyvalue('replica-small', {}), keyvalue('replica-medium', {}), 'accepted'),
];

const expiring = (seconds: unknown) =>
  of('a9s-mongodb70', 'mongodbsspl-single-small', {
    setClusterParameter: { changeStreamOptions: { preAndPostImages: { expireAfterSeconds: seconds } } },
  });
const expiry = 'spec.parameters.setClusterParameter.changeStreamOptions.preAndPostImages.expireAfterSeconds';

const otherInstances: readonly Row[] = [
  creating('MariadbInstance', of('a9s-mariadb1011', 'mariadb-single-nano'), [['spec', 'only supports ssl plans']]),
  creating('MariadbInstance', of('a9s-mariadb1011', 'mariadb-single-nano-ssl'), 'accepted'),
  creating('MariadbInstance', of('a9s-mariadb106', 'mariadb-single-nano', { binlogExpireDays: 0 }), [
    ['spec.parameters.binlogExpireDays', 'greater than or equal to 1'],
  ]),
  changing(
    'MariadbInstance',
    of('a9s-mariadb106', 'mariadb-single-nano-ssl'),
    of('a9s-mariadb106', 'mariadb-cluster-small-ssl'),
    'accepted',
  ),
  changing('MariadbInstance', of('a9s-mariadb106', 'mariadb-cluster-big'), of('a9s-mariadb106', 'mariadb-single-big'), [
    ['spec.plan', 'from cluster to single is not supported'],
  ]),
  ...['off', 0, 100].map((seconds) => creating('MongodbInstance', expiring(seconds), 'accepted')),
  ...['on', -1].map((seconds) =>
    creating('MongodbInstance', expiring(seconds), [[expiry, 'must be off or not negative']]),
  ),
  changing('MongodbInstance', expiring(0), of('a9s-mongodb70', 'mongodbsspl-single-nano'), smaller),
  changing('MongodbInstance', expiring(0), of('a9s-mongodb50', 'mongodbsspl-single-small'), [
    ['spec.service', 'immutable field'],
  ]),
  creating('MessagingInstance', of('a9s-messaging4', 'messaging-single-nano', { consumerTimeout: 1_799_999 }), [
    ['spec.parameters.consumerTimeout', 'greater than or equal to 1800000'],
  ]),
  changing(
    'MessagingInstance',
    of('a9s-messaging4', 'messaging-single-nano'),
    of('a9s-messaging4', 'messaging-cluster-small-ssl'),
    [['spec.plan', 'a change of ssl is not supported']],
  ),
  changing(
    'SearchInstance',
    of('a9s-search2', 'search-single-nano-ssl'),
    of('a9s-search2', 'search-cluster-medium-ssl'),
    'accepted',
  ),
  changing(
    'SearchInstance',
    of('a9s-search2', 'search-cluster-medium-ssl'),
    of('a9s-search2', 'search-cluster-small-ssl'),
    smaller,
  ),
  creating('SearchInstance', of('a9s-search2', 'search-single-nano-ssl', { javaMaxmetaspace: 1025 }), [
    ['spec.parameters.javaMaxmetaspace', 'less than or equal to 1024'],
  ]),
  changing('Logme2Instance', of('a9s-logme2', 'logme-single-small-ssl'), of('a9s-logme2', 'logme-cluster-small-ssl'), [
    ['spec.plan', 'from single to cluster is not supported'],
  ]),
  creating('Logme2Instance', of('a9s-logme2', 'logme-single-small-ssl', { fluentdTcp: 0 }), [
    ['spec.parameters.fluentdTcp', 'greater than or equal to 1'],
  ]),
  creating('Logme2Instance', of('a9s-logme2', 'logme-single-small-ssl', { ismJobInterval: 0 }), [
    ['spec.parameters.ismJobInterval', 'must be more than 0'],
  ]),
  creating('Logme2Instance', of('a9s-logme2', 'logme-single-small-ssl', { groks: [], ismJitter: 0 }), 'accepted'),
  changing(
    'PrometheusInstance',
    of('a9s-prometheus', 'prometheus-single-small'),
    of('a9s-prometheus', 'prometheus-single-big'),
    [['spec.plan', 'a change of the plan is not supported']],
  ),
];

const types = ['keyvalue', 'mongodb', 'search', 'logme2', 'prometheus', 'messaging', 'mariadb'];
const backup = (serviceInstanceType: string) => ({ instanceRef: 'a', serviceInstanceType });
const restore = (serviceInstanceType: string) => ({ backupRef: 'a', serviceInstanceType });
const noComposition = (rule: string) => `no such key: compositionRef evaluating rule: ${rule}`;

const references: readonly Row[] = [
  ...['ServiceBinding', 'Backup'].flatMap((kind) => {
    const word = kind.toLowerCase();
    const only = `a8s-${word} only supports postgresql`;
    return [
      ...types.map((type) =>
        creating(kind, composed(`a8s-${word}`, backup(type)), [['spec', `Invalid value: ${only}`]]),
      ),
      ...types.map((type) => creating(kind, composed(`a9s-${word}`, backup(type)), 'accepted')),
      creating(kind, composed(`a8s-${word}`, backup('postgresql')), 'accepted'),
      creating(kind, backup('postgresql'), 'accepted'),
      creating(kind, backup('mariadb'), [['spec', noComposition(only)]]),
    ];
  }),
  creating('Restore', composed('a8s-restore', restore('postgresql')), [['spec', 'no such key: instanceRef']]),
  creating('Restore', composed('a8s-restore', { ...restore('postgresql'), instanceRef: '' }), [
    ['spec', 'Invalid value: a8s-restore needs an instanceRef'],
  ]),
  creating('Restore', composed('a8s-restore', { ...restore('postgresql'), instanceRef: 'a' }), 'accepted'),
  creating('Restore', composed('a9s-restore', restore('mariadb')), 'accepted'),
  creating('Restore', { ...restore('postgresql'), instanceRef: 'a' }, 'accepted'),
  creating('Restore', restore('postgresql'), [['spec', 'evaluating rule: a8s-restore needs an instanceRef']]),
];

/** Every rule of the catalogue, kept and broken. */
export const catalogueRows: readonly Row[] = [
  ...postgresqlCreates,
  ...postgresqlChanges,
  ...keyvalueRows,
  ...otherInstances,
  ...references,
];
