import { KlutchError } from '@klutch/api';
import { maxApis, maxEnrolmentSeconds } from '@klutch/api/contract';
import { urlOf } from '../login/urls.ts';
import { parseApiName } from './api-names.ts';

/** What a command asks for when it sends a browser to log in. */
export interface LoginRequest {
  /** Chosen by the command, and given back to it. */
  readonly sid: string;
  /** The app cluster, as the command names it. */
  readonly cid: string;
  /** UID of its `kube-system` Namespace. */
  readonly uid?: string;
  /** Where on the user's machine the command listens. */
  readonly redirect: string;
  /** S256 challenge, by which the command proves later that it was the one who asked. */
  readonly challenge?: string;
  /** Seconds for which an enrolment token is to be good; absent when the login is for a credential. */
  readonly enrolmentSeconds?: number;
  /** Cluster namespace of the app cluster whose credentials are all to end; absent when the login is for something else. */
  readonly evict?: string;
  /** APIs to tick beforehand, as `<resource>.<group>`. */
  readonly apis: readonly string[];
}

/** Characters that their names may have in an address; they travel in a cookie, too. */
const maxApiText = 2_000;

/**
 * Reads the query of `/authorize`. Throws `KLUTCH_REQUEST_INVALID`, naming the parameter, or `KLUTCH_LOGIN_REDIRECT_REFUSED`
 * for a target that is not on the user's own machine.
 */
export function parseLoginRequest(query: URLSearchParams): LoginRequest {
  const redirect = redirectOf(query);
  const sid = required(query, 's', 'the session id');
  if (!/^[A-Za-z0-9._~-]{1,128}$/.test(sid)) throw invalid('s', 'the session id, is not one');
  const cid = clusterIdOf(required(query, 'c', 'the id of the app cluster'), 'c');
  const uid = optional(query, 'f');
  const challenge = optional(query, 'x');
  if (challenge !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw invalid('x', 'the challenge, is not an S256 challenge');
  }
  const enrolmentSeconds = enrolmentSecondsOf(query, challenge);
  const evict = evictedOf(query, challenge);
  const apis = query.getAll('a');
  if (apis.length > maxApis || apis.join('').length > maxApiText) throw invalid('a', 'names too many APIs');
  for (const api of apis) parseApiName(api, 'a');
  return {
    sid,
    cid,
    redirect,
    apis,
    ...(uid !== undefined && { uid: clusterUidOf(uid, 'f') }),
    ...(challenge !== undefined && { challenge }),
    ...(enrolmentSeconds !== undefined && { enrolmentSeconds }),
    ...(evict !== undefined && { evict }),
  };
}

/** A cluster id: what the CLI derives, or the name that a tool gave. Throws `KLUTCH_REQUEST_INVALID`. */
export function clusterIdOf(text: string, parameter: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(text)) return text;
  throw invalid(parameter, 'the id of the app cluster, must be 1 to 64 letters, digits, dots, dashes and underscores');
}

/** A UID of a Kubernetes object. Throws `KLUTCH_REQUEST_INVALID`. */
export function clusterUidOf(text: string, parameter: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
  throw invalid(parameter, 'the UID of the app cluster, is not one');
}

/** An error that names a parameter and what is wrong with it; never its value. */
export function invalid(parameter: string, problem: string): KlutchError {
  return new KlutchError('KLUTCH_REQUEST_INVALID', `Parameter ${parameter}: ${problem}.`);
}

function enrolmentSecondsOf(query: URLSearchParams, challenge: string | undefined): number | undefined {
  const text = optional(query, 'e');
  if (text === undefined) return undefined;
  if (challenge === undefined) throw invalid('e', 'a login for a bundle needs a challenge in parameter x');
  const seconds = Number(text);
  if (/^[1-9]\d{0,6}$/.test(text) && seconds <= maxEnrolmentSeconds) return seconds;
  throw invalid(
    'e',
    `the seconds for which a bundle can be exchanged, must be a number from 1 to ${maxEnrolmentSeconds}`,
  );
}

function evictedOf(query: URLSearchParams, challenge: string | undefined): string | undefined {
  const namespace = optional(query, 'k');
  if (namespace === undefined) return undefined;
  if (challenge === undefined) throw invalid('k', 'a login for an eviction needs a challenge in parameter x');
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return namespace;
  throw invalid('k', 'the namespace of the app cluster, is not one');
}

function redirectOf(query: URLSearchParams): string {
  const target = optional(query, 'u');
  if (target !== undefined && target !== '') return loopbackTarget(target);
  const port = required(query, 'p', 'the port on which the command listens');
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw invalid('p', 'the port on which the command listens, must be a number from 1 to 65535');
  }
  return `http://localhost:${port}/callback`;
}

function loopbackTarget(text: string): string {
  const url = urlOf(text);
  const isPlain =
    url?.protocol === 'http:' && url.username === '' && url.password === '' && url.port !== '' && url.port !== '0';
  // The policy of the pages lets forms lead to these two and cannot express others.
  const isOwnMachine = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  if (url !== undefined && isPlain && isOwnMachine && url.hash === '') return url.href;
  throw new KlutchError(
    'KLUTCH_LOGIN_REDIRECT_REFUSED',
    'Parameter u: the login may only return to an http address with a port on the machine of the user.',
  );
}

function required(query: URLSearchParams, name: string, meaning: string): string {
  const value = optional(query, name);
  if (value === undefined || value === '') throw invalid(name, `${meaning}, is missing`);
  return value;
}

function optional(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(name, 'occurs more than once');
  return values[0];
}
