import type { IssuedCertificate } from '../pki/authority.ts';

/** Where a plane is and how to know that it is the right one. */
export interface PlaneAddress {
  readonly url: string;
  readonly dir: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly certificateAuthority: string;
}

/** What proves to the plane who is asking. */
export type PlaneCredentials = IssuedCertificate | { readonly token: string };
