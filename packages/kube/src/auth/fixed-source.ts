import type { Credentials, CredentialSource } from './credentials.ts';

/** Credentials that never change; invalidating them has no effect, as there is nowhere to get others. */
export function fixedSource(credentials: Credentials): CredentialSource {
  return { current: async () => credentials, invalidate: () => undefined };
}
