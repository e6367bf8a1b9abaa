/** What authentication adds to a connection or a request at this moment. */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization?: string;
  /** Client certificate chain and key as PEM. */
  readonly certificate?: string;
  readonly key?: string;
}

/** Yields current credentials; caches, refreshes and re-reads as its kind demands. */
export interface CredentialSource {
  /** The credentials to use now. Throws `KUBE_CREDENTIALS_FAILED` when there are none. */
  current(signal?: AbortSignal): Promise<Credentials>;
  /** Called after the server refused the credentials (401): the next `current` must not answer from a cache. */
  invalidate(): void;
}
