import {
  type AnswerOf,
  finishRotation,
  listOffers,
  releaseCluster,
  rotateCredential,
  withdrawApis,
} from '@klutch/api/contract';
import { openBackend } from '../bind/backend.ts';
import type { HttpSettings } from '../bind/http-call.ts';
import type { Connection } from './find-connections.ts';

/** What a backend does for an app cluster that shows the credential it was given. */
export interface TenantBackend {
  /** A new kubeconfig, as text; the one that was shown goes on working for a while. */
  rotate(): Promise<string>;
  /** Ends all credentials but the given one. */
  finishRotation(token: string): Promise<void>;
  /** Takes exports back, and the rights that came with them. */
  unbind(apis: readonly string[]): Promise<void>;
  /** Ends the registration of the app cluster and all its credentials. Throws `KLUTCH_BINDING_IN_USE` while data of it is left. */
  release(): Promise<void>;
  /** What the tenant of this app cluster may bind. */
  offers(signal?: AbortSignal): Promise<AnswerOf<typeof listOffers>['apis']>;
}

/**
 * The backend behind a connection. Undefined when nobody knows its address, or there is no token to show: connections that
 * the Go CLI made. Its methods throw `KLUTCH_BACKEND_TOO_OLD` when the backend knows nothing of what is asked.
 */
export function tenantBackendOf(connection: Connection, settings: HttpSettings): TenantBackend | undefined {
  const { backendUrl, config } = connection;
  if (backendUrl === undefined || config?.auth.kind !== 'token') return undefined;
  const { token } = config.auth;
  const backend = openBackend(backendUrl, settings);
  return {
    rotate: async () => {
      const { kubeconfig } = await backend.call(rotateCredential, undefined, { token });
      return Buffer.from(kubeconfig, 'base64').toString('utf8');
    },
    finishRotation: async (kept) => await backend.call(finishRotation, undefined, { token: kept }),
    unbind: async (apis) => await backend.call(withdrawApis, { apis: apis.map(apiOf) }, { token }),
    release: async () => await backend.call(releaseCluster, undefined, { token }),
    offers: async (signal) => (await backend.call(listOffers, undefined, { token, signal })).apis,
  };
}

function apiOf(name: string): { readonly group: string; readonly resource: string } {
  const dot = name.indexOf('.');
  return dot < 0 ? { group: '', resource: name } : { resource: name.slice(0, dot), group: name.slice(dot + 1) };
}
