/** Who owns app clusters and what is in them: a team, a person or a machine account. */
export interface Tenant {
  /** Canonical and unambiguous: a JSON array of its kind, the issuer and its name. */
  readonly identity: string;
  /** For people, and for the restrictions of templates. */
  readonly name: string;
}
