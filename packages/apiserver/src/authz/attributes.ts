import type { User } from '../authn/user.ts';

/** What a request wants to do, for authorisation. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly user: User;
  /** get, list, watch, create, update, patch, delete, deletecollection, or a special verb such as bind, escalate, impersonate. */
  readonly verb: string;
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface PathAttributes {
  readonly user: User;
  /** Lower-case HTTP method. */
  readonly verb: string;
  readonly path: string;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Why, for logs and access reviews; empty when nothing allowed it. */
  readonly reason: string;
}
