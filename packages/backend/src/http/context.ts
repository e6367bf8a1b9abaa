import { KlutchError } from '@klutch/api';
import { type Clock, systemClock } from '@klutch/kube';
import { Registry } from 'prom-client';
import { createSealer, type Sealer } from '../login/sealer.ts';
import type { Caller } from '../policy/caller.ts';
import type { Tenant } from '../policy/tenant.ts';
import { type Cookies, createCookies } from './cookies.ts';
import type { WebDeps } from './deps.ts';
import type { LoginRequest } from './login-request.ts';
import { createWebMetrics, type WebMetrics } from './metrics.ts';
import type { RateLimits } from './rate-limits.ts';

/** What all routes share. */
export interface WebContext extends WebDeps {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly sealer: Sealer;
  readonly cookies: Cookies;
  readonly metrics: WebMetrics;
  readonly limits: RateLimits;
  /** Throws `KLUTCH_BACKEND_UNAVAILABLE` until the catalogue was read once: what is not known yet is not absent. */
  requireCatalogue(): void;
}

/** What the `state` of a login at the identity provider carries. */
export interface LoginState {
  /** Of this attempt; the proof is derived from it. */
  readonly attempt: string;
  /** Of the browser that began. */
  readonly browser: string;
  /** Absent when somebody only wants to look at the catalogue. */
  readonly login?: LoginRequest;
  /** Set when somebody logs in for a command with a device code: the user code, or empty when it is not known yet. */
  readonly device?: string;
}

/** Who is logged in, and what for. Holds no token of the identity provider. */
export interface Session {
  /** Of the groups, those by which they may bind; of the others, only the tenants are left. */
  readonly caller: Caller;
  readonly tenants: readonly Tenant[];
  readonly browser: string;
  readonly login?: LoginRequest;
}

export function createContext(deps: WebDeps, limits: RateLimits): WebContext {
  const clock = deps.clock ?? systemClock;
  const registry = deps.registry ?? new Registry();
  let isSynced = false;
  deps.catalogue.synced.then(
    () => {
      isSynced = true;
    },
    () => {},
  );
  return {
    ...deps,
    clock,
    registry,
    limits,
    sealer: createSealer(deps.sealingKeys ?? (() => deps.options.sealingKeys.value), clock),
    cookies: createCookies(deps.options.baseUrl),
    metrics: createWebMetrics(registry),
    requireCatalogue: () => {
      if (isSynced) return;
      throw new KlutchError(
        'KLUTCH_BACKEND_UNAVAILABLE',
        'The backend has not read its catalogue yet. Try again in a moment.',
      );
    },
  };
}
