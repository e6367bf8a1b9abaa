/** The keys and certificates in a folder cannot be used; the message says which file and what to do. */
export class PkiError extends Error {
  override readonly name = 'PkiError';
  readonly code = 'KLUTCH_APISERVER_PKI_UNUSABLE';
}
