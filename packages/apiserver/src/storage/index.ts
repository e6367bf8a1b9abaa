export type { HistoryLimit } from './history.ts';
export { openStore, type OpenStoreOptions } from './open-store.ts';
export { StorageError, type StorageErrorCode } from './storage-error.ts';
export { entryAtRevision } from './stored-entry.ts';
export type { Entry, ScanOptions, Store, StoredEvent, Write } from './types.ts';
