import { type BindingResponse, decodeBindingResponse } from '@klutch/api';
import {
  bindMachine,
  type BindRequest,
  bundleForMachine,
  type ContractClient,
  type EnrolmentGrant,
  evictForMachine,
  finishDeviceLogin,
  finishDeviceLoginForBundle,
  finishDeviceLoginForEviction,
  type FreshCredential,
  redeemCode,
  redeemForBundle,
  redeemForEviction,
} from '@klutch/api/contract';

interface Calling {
  readonly signal?: AbortSignal;
  readonly token?: string;
}

/** What a login is for: each way of logging in has an endpoint that yields it. */
export interface LoginPurpose<T> {
  /** Seconds for which an enrolment token is to be good; absent when the login is for a credential. */
  readonly enrolmentSeconds?: number;
  /** Cluster namespace of the app cluster whose credentials are all to end. */
  readonly evict?: string;
  redeem(
    backend: ContractClient,
    sent: { readonly code: string; readonly verifier: string },
    call: Calling,
  ): Promise<T>;
  finishDevice(
    backend: ContractClient,
    sent: { readonly device_code: string },
    call: Calling,
  ): Promise<T | { readonly error: 'authorization_pending' | 'slow_down' }>;
  machine(backend: ContractClient, request: BindRequest, call: Calling): Promise<T>;
  /** Which login an answer belongs to. */
  sessionOf(answer: T): string | undefined;
  /** Reads an answer that the browser brings itself, as backends in Go send it. */
  readonly decode?: (text: string) => T;
}

/** A login by which this app cluster gets its credential. */
export const forCredential: LoginPurpose<BindingResponse> = {
  redeem: (backend, sent, call) => backend.call(redeemCode, sent, call),
  finishDevice: (backend, sent, call) => backend.call(finishDeviceLogin, sent, call),
  machine: (backend, request, call) => backend.call(bindMachine, request, call),
  sessionOf: ({ authentication }) => authentication?.oauth2CodeGrant?.sid,
  decode: decodeBindingResponse,
};

/** A login for a bundle, with which some app cluster gets its credential later. */
export function forBundle(enrolmentSeconds: number): LoginPurpose<EnrolmentGrant> {
  return {
    enrolmentSeconds,
    redeem: (backend, sent, call) => backend.call(redeemForBundle, sent, call),
    finishDevice: (backend, sent, call) => backend.call(finishDeviceLoginForBundle, sent, call),
    machine: (backend, request, call) => backend.call(bundleForMachine, request, call),
    sessionOf: ({ session }) => session,
  };
}

/** A login that ends all credentials of an app cluster and yields the one that is issued instead. */
export function forEviction(clusterNamespace: string): LoginPurpose<FreshCredential> {
  return {
    evict: clusterNamespace,
    redeem: (backend, sent, call) => backend.call(redeemForEviction, sent, call),
    finishDevice: (backend, sent, call) => backend.call(finishDeviceLoginForEviction, sent, call),
    machine: (backend, request, call) => backend.call(evictForMachine, request, call),
    sessionOf: ({ session }) => session,
  };
}
