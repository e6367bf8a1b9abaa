import type { User } from '../authn/user.ts';
import type { Attributes } from '../authz/attributes.ts';
import type { LabelRequirement } from '../authz/rbac-objects.ts';
import type { ApiObject } from '../objects/api-object.ts';

/** What an access review asks, as clients write it. */
export interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceQuestion;
  readonly nonResourceAttributes?: PathQuestion;
  /** About whom; the review of oneself has none of these. */
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A question about a resource. */
export interface ResourceQuestion {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: SelectorQuestion;
  readonly labelSelector?: SelectorQuestion;
}

/** A question about a path. */
export interface PathQuestion {
  readonly path?: string;
  readonly verb?: string;
}

/** A selector as text or in pieces. */
export interface SelectorQuestion {
  readonly rawSelector?: string;
  readonly requirements?: readonly LabelRequirement[];
}

/** The spec of a review. Null and empty texts and lists say nothing, and are left out. */
export function specOf({ spec }: ApiObject): AccessReviewSpec {
  return withoutEmpty(spec) ?? {};
}

/** The user a review is about. */
export function subjectOf({ user = '', groups = [], uid, extra }: AccessReviewSpec): User {
  return { name: user, groups, uid, extra };
}

/** What is asked about a user. The spec must have been validated. */
export function questionOf(
  { resourceAttributes: asked, nonResourceAttributes }: AccessReviewSpec,
  user: User,
): Attributes {
  if (asked === undefined)
    return { user, verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' };
  const { verb = '', group = '', resource = '', version, subresource, namespace, name } = asked;
  return { user, verb, group, version, resource, subresource, namespace, name };
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => !isEmpty(field));
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutEmpty(field)]));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
