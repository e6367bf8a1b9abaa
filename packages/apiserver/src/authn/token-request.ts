import type { ApiObject } from '../objects/api-object.ts';
import { invalid as invalidField } from '../schema/fields/field-error.ts';
import { badRequest, conflict, type FieldCause, invalid, notFound } from '../status/status-error.ts';
import { type BoundObject, claimOf, type TokenIssuer } from './token-issuer.ts';
import type { TokenObjects } from './token-objects.ts';

/** What answers to a TokenRequest depend on. */
export interface TokenRequestContext {
  readonly issuer: TokenIssuer;
  /** Of tokens that do not ask for any; those who ask for these only mean this server. */
  readonly audiences: readonly string[];
  /** Longer lives are shortened. Default: no limit. */
  readonly maxExpirationSeconds?: number;
  readonly objects: TokenObjects;
  readonly now: Date;
  /** Throws when a policy of the cluster denies the request, which is valid by then. */
  readonly enforce?: (request: ApiObject) => void;
}

/** A TokenRequest for one account. */
export interface TokenRequestInput {
  readonly namespace: string;
  /** Of the service account. */
  readonly name: string;
  readonly request: ApiObject;
}

/** The TokenRequest with its token in `status`, and what to tell the client in `Warning` headers. */
export interface TokenRequestAnswer {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

const GROUP = 'authentication.k8s.io';
const DEFAULT_SECONDS = 3_600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/**
 * A token for a pod that asks for this odd life, as kubelets do, lives a year: programs of a time when tokens never ended
 * must not stop at once.
 */
const TRANSITIONAL_SECONDS = 3_607;
const TRANSITIONAL_LIFE_SECONDS = 365 * 86_400;

/** Issues a token, or throws what kube-apiserver answers when it refuses. */
export async function answerTokenRequest(
  input: TokenRequestInput,
  context: TokenRequestContext,
): Promise<TokenRequestAnswer> {
  const { namespace, name, request } = input;
  const { issuer, objects, now } = context;
  checkIdentity(input);
  const account = objects.serviceAccount(namespace, name);
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name);
  checkUid(request, account);
  const spec = specOf(request, context.audiences);
  const causes = expirationCauses(spec.expirationSeconds);
  if (causes.length > 0) throw invalid(GROUP, 'TokenRequest', '', causes);
  context.enforce?.(completed(input, account, spec, now));
  const boundObject = spec.boundObjectRef === null ? undefined : findBoundObject(spec.boundObjectRef, input, objects);

  const { maxExpirationSeconds: limit = Number.POSITIVE_INFINITY } = context;
  const seconds = Math.min(spec.expirationSeconds, limit);
  const isTransitional =
    boundObject?.kind === 'Pod' &&
    seconds === TRANSITIONAL_SECONDS &&
    spec.audiences.every((one) => context.audiences.includes(one));
  const token = await issuer.issueToken({
    serviceAccount: account,
    audiences: spec.audiences,
    expirationSeconds: isTransitional ? TRANSITIONAL_LIFE_SECONDS : seconds,
    ...(isTransitional ? { warnAfterSeconds: seconds } : {}),
    boundObject,
    now,
  });
  return {
    object: {
      ...completed(input, account, { ...spec, expirationSeconds: seconds }, now),
      status: { token, expirationTimestamp: timestamp(new Date(now.getTime() + seconds * 1_000)) },
    },
    warnings: seconds === spec.expirationSeconds ? [] : [shortened(spec.expirationSeconds, seconds)],
  };
}

/** The request with everything that it left out. */
function completed(
  { namespace, name, request }: TokenRequestInput,
  account: ApiObject,
  { audiences, expirationSeconds, boundObjectRef }: TokenRequestSpec,
  now: Date,
): ApiObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'TokenRequest',
    metadata: { ...request.metadata, name, namespace, uid: account.metadata.uid, creationTimestamp: timestamp(now) },
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: { token: '', expirationTimestamp: null },
  };
}

interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

interface TokenRequestSpec {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly boundObjectRef: ObjectReference | null;
}

function checkIdentity({ namespace, name, request }: TokenRequestInput): void {
  const { name: given = '', namespace: home = '' } = request.metadata;
  if (home !== '' && home !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (given === '' || given === name) return;
  const cause = invalidField('metadata.name', given, 'must match the service account name if specified');
  throw invalid(GROUP, 'TokenRequest', name, [cause]);
}

function checkUid({ metadata: { uid: given = '' } }: ApiObject, { metadata: { name = '', uid } }: ApiObject): void {
  if (given === '' || given === uid) return;
  const problem = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
  throw conflict({ group: GROUP, resource: 'TokenRequest' }, name, problem);
}

function specOf({ spec }: ApiObject, defaultAudiences: readonly string[]): TokenRequestSpec {
  const { audiences, expirationSeconds, boundObjectRef } = (spec ?? {}) as {
    [Field in keyof TokenRequestSpec]?: TokenRequestSpec[Field] | null;
  };
  return {
    audiences: audiences && audiences.length > 0 ? audiences : defaultAudiences,
    expirationSeconds: expirationSeconds ?? DEFAULT_SECONDS,
    boundObjectRef: boundObjectRef ?? null,
  };
}

function expirationCauses(seconds: number): FieldCause[] {
  const field = 'spec.expirationSeconds';
  if (seconds < MIN_SECONDS) return [invalidField(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > MAX_SECONDS)
    return [invalidField(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function findBoundObject(
  reference: ObjectReference,
  { namespace, name }: TokenRequestInput,
  objects: TokenObjects,
): BoundObject {
  const { kind = '', name: boundName = '', uid = '' } = reference;
  const { group, version } = parseVersion(reference.apiVersion ?? '');
  if (group !== '' || (kind !== 'Pod' && kind !== 'Secret' && kind !== 'Node')) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const find = {
    Pod: () => objects.pod(namespace, boundName),
    Secret: () => objects.secret(namespace, boundName),
    Node: () => objects.node(boundName),
  };
  const object = find[kind]();
  if (object === undefined) throw notFound({ group: '', resource: `${kind.toLowerCase()}s` }, boundName);
  const pod = kind === 'Pod' ? podSpec(object) : undefined;
  if (pod !== undefined && pod.serviceAccountName !== name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${name}" to pod running with different serviceaccount name.`,
    );
  }
  if (uid !== '' && uid !== object.metadata.uid) throw replaced(kind, boundName, uid);
  return { kind, object: claimOf(object), ...(pod?.nodeName ? { node: nodeClaim(pod.nodeName, objects) } : {}) };
}

/** Kubernetes takes a version it cannot read for none. */
function parseVersion(apiVersion: string): { group: string; version: string } {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return { group: '', version: '' };
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', parts[0]];
  return { group, version };
}

function podSpec({ spec }: ApiObject): { readonly serviceAccountName?: string; readonly nodeName?: string } {
  return spec ?? {};
}

/** A node that is not known is still named. */
function nodeClaim(name: string, objects: TokenObjects) {
  const node = objects.node(name);
  return node === undefined ? { name } : claimOf(node);
}

function replaced(kind: string, name: string, uid: string) {
  const problem = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  return conflict({ group: '', resource: kind }, name, problem);
}

function shortened(wanted: number, given: number): string {
  return `requested expiration of ${wanted} seconds shortened to ${given} seconds`;
}

function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
