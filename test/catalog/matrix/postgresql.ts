/** PostgreSQL as the specification has it (catalog.md §4.1), typed by hand. */

export const a8s = 'a8s-postgresql';
export const a9s = 'a9s-postgresql';

export const a8sServices = ['a9s-postgresql13', 'a9s-postgresql14'];
export const a9sServices = ['a9s-postgresql13', 'a9s-postgresql15', 'a9s-postgresql17'];
export const services = ['a9s-postgresql13', 'a9s-postgresql14', 'a9s-postgresql15', 'a9s-postgresql17'];

export const a8sPlans = [
  'postgresql-single-nano',
  'postgresql-single-small',
  'postgresql-single-medium',
  'postgresql-single-big',
  'postgresql-replica-nano',
  'postgresql-replica-small',
  'postgresql-replica-medium',
  'postgresql-replica-big',
];

export const bionicPlans = [
  'postgresql-single-nano-bionic',
  'postgresql-single-nano-ssl-bionic',
  'postgresql-single-small-bionic',
  'postgresql-single-small-ssl-bionic',
  'postgresql-single-big-bionic',
  'postgresql-single-big-ssl-bionic',
  'postgresql-replica-small-bionic',
  'postgresql-replica-small-ssl-bionic',
  'postgresql-replica-big-bionic',
  'postgresql-replica-big-ssl-bionic',
];

export const plainA9sPlans = [
  'postgresql-single-nano',
  'postgresql-single-nano-ssl',
  'postgresql-single-small',
  'postgresql-single-small-ssl',
  'postgresql-single-big',
  'postgresql-single-big-ssl',
  'postgresql-replica-small',
  'postgresql-replica-small-ssl',
  'postgresql-replica-big',
  'postgresql-replica-big-ssl',
];

/** Parameters that both backends take, each with an allowed value. */
export const commonParameters = {
  maxConnections: 100,
  tempFileLimit: -1,
  trackIoTiming: 'on',
  archiveTimeout: 60,
  statementTimeout: 0,
  walWriterDelay: 200,
  maxReplicationSlots: 10,
  maxWalSenders: 0,
  synchronousCommit: 'remote_write',
  clientMinMessages: 'NOTICE',
  logMinMessages: 'PANIC',
  logMinErrorStatement: 'INFO',
  logStatement: 'ddl',
  logErrorVerbosity: 'TERSE',
};

export const a8sOnlyParameters = {
  maxLocksPerTransaction: 10,
  sslCiphers: 'HIGH:MEDIUM',
  sslMinProtocolVersion: 'TLSv1.2',
};

export const a9sOnlyParameters = {
  dataChecksums: 'enabled',
  effectiveCacheSize: '1GB',
  workMem: '4MB',
  maintenanceWorkMem: '64MB',
  idleInTransactionSessionTimeout: 0,
  rolePrivileges: ['CREATEDB', 'REPLICATION'],
  walLevelLogical: true,
};
