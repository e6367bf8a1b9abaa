import type { Clock, HealthCheck, Logger } from '@klutch/kube';
import type { Registry } from 'prom-client';
import type { Audit } from '../audit/audit.ts';
import type { TokenHolders } from '../enrolment/token-holders.ts';
import type { Issuer } from '../login/issuer.ts';
import type { DeviceMarks } from '../login/device-marks.ts';
import type { UsedTickets } from '../login/used-tickets.ts';
import type { WebOptions } from '../process/options.ts';
import type { Catalogue } from '../templates/catalogue.ts';
import type { Tenants } from '../tenants/tenants.ts';

/** All that the web server stands on. */
export interface WebDeps {
  readonly options: WebOptions & { readonly version: string; readonly prettyName: string };
  readonly catalogue: Catalogue;
  readonly tenants: Tenants;
  readonly issuer: Issuer;
  readonly usedTickets: UsedTickets;
  readonly tokenHolders: TokenHolders;
  readonly deviceMarks: DeviceMarks;
  readonly audit: Audit;
  readonly log: Logger;
  /** Gets the metrics of the web server. Default: one of its own. */
  readonly registry?: Registry;
  readonly clock?: Clock;
  /** What `/healthz` answers for. Default: that the web server answers. */
  readonly livez?: readonly HealthCheck[];
  /** Files with certificate and key in PEM; plain HTTP when absent. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  readonly timing?: Partial<WebTiming>;
  /** Keys that seal and open tickets now. Default: those of the options. */
  readonly sealingKeys?: () => readonly Uint8Array[];
}

/** Milliseconds. */
export interface WebTiming {
  /** For the head of a request to arrive. */
  readonly headers: number;
  /** For a whole request to arrive. */
  readonly request: number;
  /** Between two looks for requests that take longer, and for connections nobody uses. */
  readonly inspection: number;
  /** For an answer to be made. */
  readonly answer: number;
  /** Between two looks at the files with certificate and sealing keys. */
  readonly files: number;
  /** For requests under way when the server stops. */
  readonly stop: number;
}

export const defaultTiming: WebTiming = {
  headers: 10_000,
  request: 20_000,
  inspection: 5_000,
  answer: 60_000,
  files: 10_000,
  stop: 8_000,
};
