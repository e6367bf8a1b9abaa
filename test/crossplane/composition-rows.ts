/** What a claim must become, as `spec/catalog.md` §6 says. `NAMESPACE` and `NAME` stand for those of the claim. */
export interface CompositionRow {
  readonly composition: string;
  /** Of the claim. Default `anynines.com`. */
  readonly group?: string;
  readonly kind: string;
  readonly claim: object;
  readonly composed: {
    readonly apiVersion: string;
    readonly kind: string;
    /** Of labels; those of the claim are always there. */
    readonly labels?: Readonly<Record<string, string>>;
    readonly spec: object;
  };
  /** What a provider says of the object. */
  readonly status: object;
  /** What the claim then says. */
  readonly managed: object;
}

export const [NAMESPACE, NAME] = ['{namespace}', '{name}'];

const conditions = [{ type: 'Ready', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' }];

export const compositionRows: readonly CompositionRow[] = [
  operator('a8s-postgresql', 'PostgresqlInstance', {
    claim: {
      service: 'a9s-postgresql14',
      plan: 'postgresql-replica-medium',
      acceptsIncomplete: true,
      expose: 'Internal',
      parameters: {
        maxConnections: 120,
        tempFileLimit: -1,
        trackIoTiming: 'on',
        archiveTimeout: 30,
        statementTimeout: 1000,
        walWriterDelay: 300,
        maxLocksPerTransaction: 64,
        maxReplicationSlots: 5,
        maxWalSenders: 6,
        synchronousCommit: 'remote_apply',
        sslCiphers: 'HIGH',
        sslMinProtocolVersion: 'TLSv1.3',
        clientMinMessages: 'DEBUG1',
        logMinMessages: 'PANIC',
        logMinErrorStatement: 'LOG',
        logStatement: 'ddl',
        logErrorVerbosity: 'VERBOSE',
      },
    },
    manifest: {
      apiVersion: 'postgresql.anynines.com/v1beta3',
      kind: 'Postgresql',
      spec: {
        expose: 'Internal',
        version: 14,
        volumeSize: '50Gi',
        replicas: 3,
        resources: { requests: { cpu: '2', memory: '4Gi' }, limits: { cpu: '2', memory: '4Gi' } },
        parameters: {
          maxConnections: 120,
          tempFileLimitKiloBytes: -1,
          trackIOTiming: 'on',
          archiveTimeoutSeconds: 30,
          statementTimeoutMillis: 1000,
          walWriterDelayMillis: 300,
          maxLocksPerTransaction: 64,
          maxReplicationSlots: 5,
          maxWALSenders: 6,
          synchronousCommit: 'remote_apply',
          sslCiphers: 'HIGH',
          sslMinProtocolVersion: 'TLSv1.3',
          clientMinMessages: 'debug1',
          logMinMessages: 'panic',
          logMinErrorStatement: 'log',
          logStatement: 'ddl',
          logErrorVerbosity: 'VERBOSE',
        },
      },
    },
    ready: "has(object.status) && has(object.status.clusterStatus) && object.status.clusterStatus == 'Running'",
    status: { clusterStatus: 'Running', readyReplicas: 3 },
    managed: { clusterStatus: 'Running', readyReplicas: 3 },
  }),
  operator('a8s-servicebinding', 'ServiceBinding', {
    claim: { instanceRef: 'orders', serviceInstanceType: 'postgresql', region: 'us-east-1', policy: 'x' },
    manifest: {
      apiVersion: 'servicebindings.anynines.com/v1beta3',
      kind: 'ServiceBinding',
      spec: {
        instance: {
          apiVersion: 'postgresql.anynines.com/v1beta3',
          kind: 'Postgresql',
          namespace: NAMESPACE,
          name: 'orders',
        },
      },
    },
    ready: 'has(object.status) && has(object.status.implemented) && object.status.implemented == true',
    status: { implemented: true, secret: { name: 'x-service-binding', namespace: 'y' } },
    managed: { implemented: true, secret: { name: 'x-service-binding', namespace: 'y' } },
  }),
  operator('a8s-backup', 'Backup', {
    claim: { instanceRef: 'orders', serviceInstanceType: 'postgresql' },
    manifest: {
      apiVersion: 'backups.anynines.com/v1beta3',
      kind: 'Backup',
      spec: { serviceInstance: { apiGroup: 'postgresql.anynines.com', kind: 'PostgreSQL', name: 'orders' } },
    },
    ready: complete(),
    status: {
      backupID: 'b1',
      conditions,
      lastObservationTime: '2026-01-01T00:00:00Z',
      podUsedNamespacedName: 'ns/pod',
      podUsedUID: 'u1',
      retries: 2,
    },
    managed: {
      backupID: 'b1',
      conditions,
      lastObservationTime: '2026-01-01T00:00:00Z',
      podUsedNamespacedName: 'ns/pod',
      podUsedUID: 'u1',
      retries: 2,
    },
  }),
  operator('a8s-restore', 'Restore', {
    claim: { backupRef: 'nightly', instanceRef: 'orders', serviceInstanceType: 'postgresql' },
    manifest: {
      apiVersion: 'backups.anynines.com/v1beta3',
      kind: 'Restore',
      spec: {
        serviceInstance: { apiGroup: 'postgresql.anynines.com', kind: 'PostgreSQL', name: 'orders' },
        backupName: 'nightly',
      },
    },
    ready: complete(),
    status: {
      conditions,
      lastObservationTime: '2026-01-01T00:00:00Z',
      podToPoll: { ip: '10.0.0.1', namespacedName: 'ns/pod', uid: 'u1' },
      restoreID: 'r1',
    },
    managed: {
      conditions,
      lastObservationTime: '2026-01-01T00:00:00Z',
      podToPoll: { ip: '10.0.0.1', namespacedName: 'ns/pod', uid: 'u1' },
      restoreID: 'r1',
    },
  }),
  broker('postgresql', 'PostgresqlInstance', 'a9s-postgresql13', 'postgresql-single-nano-ssl-bionic', [
    ['dataChecksums', 'data_checksums', 'enabled'],
    ['maxConnections', 'max_connections', 120],
    ['effectiveCacheSize', 'effective_cache_size', '1GB'],
    ['workMem', 'work_mem', '4MB'],
    ['maintenanceWorkMem', 'maintenance_work_mem', '64MB'],
    ['tempFileLimit', 'temp_file_limit', 1],
    ['trackIoTiming', 'track_io_timing', 'off'],
    ['archiveTimeout', 'archive_timeout', 30],
    ['statementTimeout', 'statement_timeout', 0],
    ['idleInTransactionSessionTimeout', 'idle_in_transaction_session_timeout', 0],
    ['rolePrivileges', 'role_privileges', ['CREATEDB']],
    ['walLevelLogical', 'wal_level_logical', true],
    ['walWriterDelay', 'wal_writer_delay', 1],
    ['maxReplicationSlots', 'max_replication_slots', 0],
    ['maxWalSenders', 'max_wal_senders', 0],
    ['synchronousCommit', 'synchronous_commit', 'local'],
    ['clientMinMessages', 'client_min_messages', 'DEBUG5'],
    ['logMinMessages', 'pg_log_min_messages', 'INFO'],
    ['logMinErrorStatement', 'pg_log_min_error_statement', 'FATAL'],
    ['logStatement', 'log_statement', 'all'],
    ['logErrorVerbosity', 'log_error_verbosity', 'TERSE'],
  ]),
  broker('mariadb', 'MariadbInstance', 'a9s-mariadb1011', 'mariadb-cluster-big-ssl', [
    ['binlogExpireDays', 'binlog_expire_days', 1],
    ['databases', 'databases', ['one', 'two']],
    ['grantPerformanceSchemaPermissions', 'grant_performance_schema_permissions', true],
  ]),
  broker('mongodb', 'MongodbInstance', 'a9s-mongodb70', 'mongodbsspl-replica-small', [
    [
      'setClusterParameter',
      'set_cluster_parameter',
      { changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 100 } } },
    ],
  ]),
  broker('messaging', 'MessagingInstance', 'a9s-messaging4', 'messaging-cluster-big', [
    ['consumerTimeout', 'consumer_timeout', 1800000],
    ['tlsProtocols', 'tls-protocols', ['tlsv1.2']],
    ['tlsCiphers', 'tls-ciphers', ['A', 'B']],
  ]),
  broker('search', 'SearchInstance', 'a9s-search2', 'search-cluster-medium-ssl', [
    ['javaHeapspace', 'java_heapspace', 256],
    ['javaMaxmetaspace', 'java_maxmetaspace', 1024],
    ['javaGarbageCollector', 'java_garbage_collector', 'UseG1GC'],
    ['tlsProtocols', 'tls-protocols', ['TLSv1.3']],
    ['tlsCiphers', 'tls-ciphers', ['A']],
  ]),
  broker('logme2', 'Logme2Instance', 'a9s-logme2', 'logme-cluster-small-ssl', [
    ['javaHeapspace', 'java_heapspace', 256],
    ['javaMaxmetaspace', 'java_maxmetaspace', 256],
    ['javaGarbageCollector', 'java_garbage_collector', 'UseSerialGC'],
    ['ismJobInterval', 'ism_job_interval', 5],
    ['ismDeletionAfter', 'ism_deletion_after', '30d'],
    ['ismJitter', 'ism_jitter', 0.5],
    ['opensearchTlsProtocols', 'opensearch-tls-protocols', ['TLSv1.2']],
    ['opensearchTlsCiphers', 'opensearch-tls-ciphers', ['A']],
    ['fluentdUdp', 'fluentd-udp', 514],
    ['fluentdTcp', 'fluentd-tcp', 1],
    ['fluentdTls', 'fluentd-tls', 65535],
    ['fluentdTlsCiphers', 'fluentd-tls-ciphers', 'HIGH'],
    ['fluentdTlsVersion', 'fluentd-tls-version', 'TLSv1_1'],
    ['fluentdTlsMinVersion', 'fluentd-tls-min-version', 'TLS1_2'],
    ['fluentdTlsMaxVersion', 'fluentd-tls-max-version', 'TLS1_3'],
    ['groks', 'groks', [{ pattern: '%{WORD}' }]],
  ]),
  broker('prometheus', 'PrometheusInstance', 'a9s-prometheus', 'promgraf2-single-big', [
    ['mappingStrictMatch', 'mapping_strict_match', false],
    ['scrapeConfigs', 'scrape_configs', [{ job_name: 'x', static_configs: [{ targets: ['a:1'] }] }]],
  ]),
  broker('keyvalue', 'KeyvalueInstance', 'a9s-keyvalue8', 'keyvalue-replica-big-ssl', [
    ['snapshot', 'snapshot', "['save 900 1']"],
    ['replBacklogSize', 'repl-backlog-size', '1mb'],
    ['minReplicasToWrite', 'min-replicas-to-write', 0],
    ['minReplicasMaxLag', 'min-replicas-max-lag', 10],
    ['lazyfreeLazyEviction', 'lazyfree-lazy-eviction', 'yes'],
    ['lazyfreeLazyExpire', 'lazyfree-lazy-expire', 'no'],
    ['maxmemory', 'maxmemory', 'dynamic'],
    ['maxmemoryPolicy', 'maxmemory-policy', 'noeviction'],
    ['maxmemorySamples', 'maxmemory-samples', 5],
    ['maxclients', 'maxclients', 0],
    ['downAfterMilliseconds', 'down-after-milliseconds', 0],
    ['failoverTimeout', 'failover-timeout', 1],
    ['hostnameResolution', 'hostname-resolution', 'resolve-only'],
    ['tlsProtocols', 'tls-protocols', 'TLSv1.2 TLSv1.3'],
    ['tlsCiphers', 'tls-ciphers', 'A'],
    ['tlsCiphersuites', 'tls-ciphersuites', 'B'],
    ['luaTimeLimit', 'lua-time-limit', 5000],
    ['notifyKeyspaceEvents', 'notify-keyspace-events', 'KEA'],
  ]),
  {
    composition: 'a9s-servicebinding',
    kind: 'ServiceBinding',
    claim: { instanceRef: 'orders', serviceInstanceType: 'messaging', acceptsIncomplete: false },
    composed: {
      ...dataservices('ServiceBinding'),
      labels: { 'klutch.io/instance-type': 'messaging' },
      spec: {
        forProvider: { acceptsIncomplete: true, instanceName: 'orders' },
        providerConfigRef: { name: 'messaging-service-broker' },
        writeConnectionSecretToRef: { namespace: NAMESPACE, name: `${NAME}-creds` },
      },
    },
    status: { atProvider: { serviceBindingID: 7, state: 'Created' }, conditions },
    managed: { serviceBindingID: 7, state: 'Created', conditions },
  },
  {
    composition: 'a9s-backup',
    kind: 'Backup',
    claim: { instanceRef: 'orders', serviceInstanceType: 'keyvalue' },
    composed: {
      ...dataservices('Backup'),
      spec: { forProvider: { instanceName: 'orders' }, providerConfigRef: { name: 'keyvalue-backup-manager' } },
    },
    status: {
      atProvider: { downloadable: true, finished_at: 't2', id: 3, size: 4, status: 'done', triggered_at: 't1' },
      conditions,
    },
    managed: { downloadable: true, finished_at: 't2', id: 3, size: 4, status: 'done', triggered_at: 't1', conditions },
  },
  {
    composition: 'a9s-restore',
    kind: 'Restore',
    claim: { backupRef: 'nightly', serviceInstanceType: 'mariadb', instanceRef: 'ignored' },
    composed: {
      ...dataservices('Restore'),
      spec: { forProvider: { backupName: 'nightly' }, providerConfigRef: { name: 'mariadb-backup-manager' } },
    },
    status: { atProvider: { finishedAt: 't2', restoreId: 3, state: 'done', triggeredAt: 't1' }, conditions },
    managed: { finishedAt: 't2', restoreId: 3, state: 'done', triggeredAt: 't1', conditions },
  },
];

function dataservices(kind: string) {
  return { apiVersion: 'dataservices.anynines.com/v1', kind };
}

function complete(): string {
  return "has(object.status) && has(object.status.conditions) && object.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')";
}

/** What an operator in the control plane does, through an Object. */
function operator(
  composition: string,
  kind: string,
  {
    claim,
    manifest,
    ready,
    status,
    managed,
  }: {
    readonly claim: object;
    readonly manifest: object;
    readonly ready: string;
    readonly status: object;
    readonly managed: object;
  },
): CompositionRow {
  return {
    composition,
    kind,
    claim,
    composed: {
      apiVersion: 'kubernetes.crossplane.io/v1alpha2',
      kind: 'Object',
      spec: {
        forProvider: { manifest: { ...manifest, metadata: { namespace: NAMESPACE, name: NAME } } },
        providerConfigRef: { name: 'kubernetes-provider' },
        readiness: { policy: 'DeriveFromCelQuery', celQuery: ready },
        watch: true,
      },
    },
    status: { atProvider: { manifest: { ...manifest, status } }, conditions },
    managed,
  };
}

/** An instance behind a service broker: every parameter of the claim under the key that the broker has for it. */
function broker(
  type: string,
  kind: string,
  service: string,
  plan: string,
  parameters: readonly (readonly [parameter: string, key: string, value: unknown])[],
): CompositionRow {
  const times = { createdAt: 't1', provisionedAt: 't2', updatedAt: 't3', state: 'provisioned' };
  return {
    composition: `a9s-${type}`,
    kind,
    claim: { service, plan, parameters: Object.fromEntries(parameters.map(([name, , value]) => [name, value])) },
    composed: {
      ...dataservices('ServiceInstance'),
      spec: {
        forProvider: {
          acceptsIncomplete: true,
          organizationGuid: 'a1d46b5c-b639-4f43-85c7-e9a0e5f01f75',
          spaceGuid: '1bf71cf3-9017-4846-bffc-b9b31872bfaf',
          serviceName: service,
          planName: plan,
          parameters: Object.fromEntries(parameters.map(([, key, value]) => [key, value])),
        },
        providerConfigRef: { name: `${type}-service-broker` },
      },
    },
    status: { atProvider: times, conditions },
    managed: { ...times, conditions },
  };
}
