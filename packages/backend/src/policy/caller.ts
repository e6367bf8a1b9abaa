/** Who asks, as the identity provider vouches for it. Everything in it is verified. */
export interface Caller {
  readonly kind: 'person' | 'machine';
  readonly issuer: string;
  /** Never empty. */
  readonly subject: string;
  /** The OAuth client that was used. */
  readonly clientId: string;
  readonly groups: readonly string[];
  /** Only when the identity provider says that it is verified. */
  readonly email?: string;
  /** For pages and records: a name or e-mail address, else the subject. */
  readonly displayName: string;
}

/** `<issuer>/<subject>`, as payloads and records name a caller. */
export function callerId({ issuer, subject }: Caller): string {
  return `${issuer}/${subject}`;
}
