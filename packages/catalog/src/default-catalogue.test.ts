import { describe, expect, it } from 'vitest';
import { defaultLayer } from './default-layer.ts';
import type { Composed, Service } from './model/catalogue.ts';
import { readCatalogue } from './model/read-catalogue.ts';

const { catalogue, problems } = readCatalogue([await defaultLayer()]);
const { services = [], backends = [], operations = [] } = catalogue ?? {};

const service = (name: string): Service => {
  const found = services.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
};

describe('the default catalogue', () => {
  it('has no problem', () => {
    expect(problems).toEqual([]);
  });

  it('offers eight services, two backends and three operations', () => {
    expect(services.map(({ kind, plural, defaultBackend }) => [kind, plural, defaultBackend])).toEqual([
      ['KeyvalueInstance', 'keyvalueinstances', 'a9s'],
      ['Logme2Instance', 'logme2instances', 'a9s'],
      ['MariadbInstance', 'mariadbinstances', 'a9s'],
      ['MessagingInstance', 'messaginginstances', 'a9s'],
      ['MongodbInstance', 'mongodbinstances', 'a9s'],
      ['PostgresqlInstance', 'postgresqlinstances', 'a8s'],
      ['PrometheusInstance', 'prometheusinstances', 'a9s'],
      ['SearchInstance', 'searchinstances', 'a9s'],
    ]);
    expect(operations.map(({ kind, plural, defaultBackend }) => [kind, plural, defaultBackend])).toEqual([
      ['Backup', 'backups', 'a8s'],
      ['Restore', 'restores', 'a8s'],
      ['ServiceBinding', 'servicebindings', 'a8s'],
    ]);
    expect(backends.map(({ name }) => name)).toEqual(['a8s', 'a9s']);
  });

  it('deletes instances in the foreground, and shows the state of all but PostgreSQL', () => {
    const shown = services.filter(({ columns }) => columns[0]?.jsonPath === '.status.managed.state');

    expect(services.every(({ deletePolicy }) => deletePolicy === 'Foreground')).toBe(true);
    expect(operations.every(({ deletePolicy }) => deletePolicy === undefined)).toBe(true);
    expect(services.filter((candidate) => !shown.includes(candidate)).map(({ name }) => name)).toEqual(['postgresql']);
  });

  it('invents no costs', () => {
    expect(services.flatMap(({ plans }) => plans).filter(({ cost }) => cost !== undefined)).toEqual([]);
  });
});

describe('parameters', () => {
  // Per parameter its key on a8s and on a9s; a dash: the backend refuses it.
  it.each([
    [
      'postgresql',
      `dataChecksums - data_checksums, maxConnections maxConnections max_connections, effectiveCacheSize - effective_cache_size, workMem - work_mem,
      maintenanceWorkMem - maintenance_work_mem, tempFileLimit tempFileLimitKiloBytes temp_file_limit, trackIoTiming trackIOTiming track_io_timing,
      archiveTimeout archiveTimeoutSeconds archive_timeout, statementTimeout statementTimeoutMillis statement_timeout,
      idleInTransactionSessionTimeout - idle_in_transaction_session_timeout, rolePrivileges - role_privileges, walLevelLogical - wal_level_logical,
      walWriterDelay walWriterDelayMillis wal_writer_delay, maxLocksPerTransaction maxLocksPerTransaction -, maxReplicationSlots maxReplicationSlots max_replication_slots,
      maxWalSenders maxWALSenders max_wal_senders, synchronousCommit synchronousCommit synchronous_commit, sslCiphers sslCiphers -,
      sslMinProtocolVersion sslMinProtocolVersion -, clientMinMessages clientMinMessages client_min_messages, logMinMessages logMinMessages pg_log_min_messages,
      logMinErrorStatement logMinErrorStatement pg_log_min_error_statement, logStatement logStatement log_statement, logErrorVerbosity logErrorVerbosity log_error_verbosity`,
    ],
    [
      'mariadb',
      `binlogExpireDays - binlog_expire_days, databases - databases, grantPerformanceSchemaPermissions - grant_performance_schema_permissions`,
    ],
    ['mongodb', `setClusterParameter - set_cluster_parameter`],
    ['messaging', `consumerTimeout - consumer_timeout, tlsProtocols - tls-protocols, tlsCiphers - tls-ciphers`],
    [
      'search',
      `javaHeapspace - java_heapspace, javaMaxmetaspace - java_maxmetaspace, javaGarbageCollector - java_garbage_collector, tlsProtocols - tls-protocols, tlsCiphers - tls-ciphers`,
    ],
    [
      'logme2',
      `javaHeapspace - java_heapspace, javaMaxmetaspace - java_maxmetaspace, javaGarbageCollector - java_garbage_collector, ismJobInterval - ism_job_interval,
      ismDeletionAfter - ism_deletion_after, ismJitter - ism_jitter, opensearchTlsProtocols - opensearch-tls-protocols, opensearchTlsCiphers - opensearch-tls-ciphers,
      fluentdUdp - fluentd-udp, fluentdTcp - fluentd-tcp, fluentdTls - fluentd-tls, fluentdTlsCiphers - fluentd-tls-ciphers, fluentdTlsVersion - fluentd-tls-version,
      fluentdTlsMinVersion - fluentd-tls-min-version, fluentdTlsMaxVersion - fluentd-tls-max-version, groks - groks`,
    ],
    ['prometheus', `mappingStrictMatch - mapping_strict_match, scrapeConfigs - scrape_configs`],
    [
      'keyvalue',
      `snapshot - snapshot, replBacklogSize - repl-backlog-size, minReplicasToWrite - min-replicas-to-write, minReplicasMaxLag - min-replicas-max-lag,
      lazyfreeLazyEviction - lazyfree-lazy-eviction, lazyfreeLazyExpire - lazyfree-lazy-expire, maxmemory - maxmemory, maxmemoryPolicy - maxmemory-policy,
      maxmemorySamples - maxmemory-samples, maxclients - maxclients, downAfterMilliseconds - down-after-milliseconds, failoverTimeout - failover-timeout,
      hostnameResolution - hostname-resolution, tlsProtocols - tls-protocols, tlsCiphers - tls-ciphers, tlsCiphersuites - tls-ciphersuites,
      luaTimeLimit - lua-time-limit, notifyKeyspaceEvents - notify-keyspace-events`,
    ],
  ])('of %s go where each backend has them', (name, table) => {
    const expected = table.split(',').map((row) => row.trim().split(/\s+/));
    const key = (targets: Service['parameters'][number]['targets'], backend: string) => {
      const taken = targets[backend];
      return taken === undefined || taken === 'ignored' ? '-' : taken.map(({ to }) => to).join();
    };

    expect(
      service(name).parameters.map(({ name: parameter, targets }) => [
        parameter,
        key(targets, 'a8s'),
        key(targets, 'a9s'),
      ]),
    ).toEqual(expected);
  });

  it('that a8s wants in lower case get there so', () => {
    const lowered = service('postgresql').parameters.filter(({ targets }) => {
      const taken = targets['a8s'];
      return typeof taken === 'object' && taken[0]?.transforms[0]?.is === 'lower-case';
    });

    expect(lowered.map(({ name }) => name)).toEqual(['clientMinMessages', 'logMinMessages', 'logMinErrorStatement']);
  });
});

describe('backends', () => {
  it.each([
    ['nano', '3Gi', '2', '1Gi'],
    ['small', '10Gi', '2', '2Gi'],
    ['medium', '50Gi', '2', '4Gi'],
    ['big', '100Gi', '4', '16Gi'],
  ])('give a %s PostgreSQL on a8s what its plan says', (size, storage, cpu, memory) => {
    const { patches = [] } = service('postgresql').backends.find(({ name }) => name === 'a8s')?.composed ?? {};
    const value = (to: string) => {
      const [transform] = patches.find((patch) => patch.to === to)?.transforms ?? [];
      return transform?.is === 'trait' ? transform.values[size] : undefined;
    };
    const limits = service('postgresql').plans.find(({ name }) => name === `postgresql-replica-${size}`)?.limits;

    expect(value('spec.volumeSize')).toBe(storage);
    expect(['requests', 'limits'].map((kind) => value(`spec.resources.${kind}.cpu`))).toEqual([cpu, cpu]);
    expect(['requests', 'limits'].map((kind) => value(`spec.resources.${kind}.memory`))).toEqual([memory, memory]);
    expect(limits).toEqual({ cpu, memory, storage, nodes: '3' });
  });

  it.each([
    ['postgresql', 'host hosts name password port uri username'],
    ['mariadb', 'cacrt host hosts name password port uri username'],
    ['mongodb', 'default_database hosts password uri username'],
    ['search', 'cacrt host hosts password port scheme username'],
    ['logme2', 'cacrt host password syslog_drain_url username'],
    [
      'prometheus',
      'alertmanager_urls grafana_urls graphite_exporter_port graphite_exporters password prometheus_urls username',
    ],
    ['keyvalue', 'cacrt host hosts load_balanced_host valkey.password valkey.port valkey.username'],
  ])('give credentials of %s on a9s', (name, keys) => {
    const a9s = service(name).backends.find((backend) => backend.name === 'a9s');

    expect(a9s?.credentials.join(' ')).toBe(keys);
    expect(a9s?.composed.base).toMatchObject({
      kind: 'ServiceInstance',
      spec: { providerConfigRef: { name: `${name}-service-broker` } },
    });
  });

  it('show under one name what each calls differently, and keep the old names', () => {
    const shown = (composed: Composed | undefined) => composed?.status.map(({ to }) => to);
    const [a8s, a9s] = backends;

    expect(shown(a9s?.operations.backup)).toEqual(
      expect.arrayContaining(['id', 'state', 'triggeredAt', 'finishedAt', 'status', 'triggered_at', 'finished_at']),
    );
    expect(shown(a9s?.operations.restore)).toEqual(
      expect.arrayContaining(['id', 'state', 'triggeredAt', 'finishedAt', 'restoreId']),
    );
    expect(shown(a8s?.operations.backup)).toEqual(expect.arrayContaining(['id', 'backupID', 'conditions']));
    expect(shown(a9s?.operations.servicebinding)).toContain('connectionDetails');
  });

  it('are ready when the operator says so', () => {
    const [a8s] = backends;
    const ready = [
      service('postgresql').backends.find(({ name }) => name === 'a8s')?.composed.ready,
      ...Object.values(a8s?.operations ?? {}).map((composed) => composed.ready),
    ];

    expect(ready.map((expression) => /Running|implemented|Complete/.exec(expression ?? '')?.[0])).toEqual([
      'Running',
      'implemented',
      'Complete',
      'Complete',
    ]);
  });

  it('have a provider config for each broker, for each Backup Manager and for the operator', () => {
    const names = backends.flatMap(({ providerConfigs }) =>
      providerConfigs.map(({ metadata }) => (metadata as { readonly name: string }).name),
    );
    const types = services.map(({ name }) => name);

    expect(names).toEqual([
      'kubernetes-provider',
      ...types.map((type) => `${type}-service-broker`),
      ...types.map((type) => `${type}-backup-manager`),
    ]);
  });
});

describe('operations', () => {
  const fields = (name: string) => operations.find((operation) => operation.name === name)?.fields ?? [];

  it('keep accepting fields that nothing is done with, and say so', () => {
    const ignored = fields('servicebinding').filter(({ targets }) =>
      Object.values(targets).every((to) => to === 'ignored'),
    );

    expect(ignored.map(({ name, note }) => [name, note])).toEqual([
      ['acceptsIncomplete', 'Ignored.'],
      ['region', 'Ignored.'],
      ['policy', 'Ignored.'],
    ]);
  });

  it('let a Restore name a point in time, which no backend can do so far', () => {
    const field = fields('restore').find(({ name }) => name === 'pointInTime');

    expect(field?.schema).toMatchObject({ type: 'string', format: 'date-time' });
    expect(field?.required).toBe(false);
    expect(field?.targets).toEqual({});
  });

  it('show app clusters Secrets and ConfigMaps with bindings', () => {
    expect(operations.map(({ name, claims }) => [name, claims.map(({ resource }) => resource)])).toEqual([
      ['backup', []],
      ['restore', []],
      ['servicebinding', ['secrets', 'configmaps']],
    ]);
  });
});
