import type { Change } from '../admission/admission-attributes.ts';
import type { User } from '../authn/user.ts';
import type { Registry } from '../registry/registry.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { ApiObject, JsonObject } from '../objects/api-object.ts';
import type { Entry, Store } from '../storage/types.ts';

/** What operations work on. */
export interface World {
  readonly store: Store;
  readonly registry: Registry;
  readonly now: () => Date;
  /** Throws when this user may not write this object although it may write objects of the type, as with roles. */
  readonly admit?: (call: Call, object: ApiObject, old: ApiObject | undefined) => void;
  /** Throws when this user may not create objects of the type, which a request that is no create would do. */
  readonly admitCreation?: (call: ObjectCall) => void;
  /** Throws when a policy of the cluster denies the change. Called with what would be stored, after everything else was checked. */
  readonly enforce?: (call: Call, change: Change) => void;
}

/** A request for a resource, as far as every operation needs it. */
export interface Call {
  readonly resource: ServedResource;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** Who writes, for field ownership. */
  readonly fieldManager: string;
  /** Options of the request as the client sent them, for policies. */
  readonly options?: JsonObject;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Collects what the client is told in Warning headers. */
  readonly warn: (text: string) => void;
}

/** A call that names its object. */
export type ObjectCall = Call & { readonly name: string };

/** What an operation answers with: something stored, or an object made for the answer. */
export type Result =
  | { readonly code: number; readonly entry: Entry }
  | { readonly code: number; readonly object: ApiObject | object };
