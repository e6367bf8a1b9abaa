import { Counter, Histogram, type Registry } from 'prom-client';

/** What the web server counts. */
export interface WebMetrics {
  requested(route: string, method: string, status: number, seconds: number): void;
  /** `result` is `success` or the code of an error. */
  loggedIn(flow: Flow, result: string): void;
  bound(flow: Flow, result: string): void;
}

/** How somebody came in. */
export type Flow = 'browser' | 'code' | 'machine' | 'device' | 'enrolment';

/** Metrics named `klutch_backend_…`; to be created once per registry. */
export function createWebMetrics(registry: Registry): WebMetrics {
  const registers = [registry];
  const requests = new Histogram({
    name: 'klutch_backend_http_request_seconds',
    help: 'Requests by route and status, and the time they took.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
    registers,
  });
  const total = new Counter({
    name: 'klutch_backend_http_requests_total',
    help: 'Requests by route and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const logins = new Counter({
    name: 'klutch_backend_logins_total',
    help: 'Logins by flow and outcome.',
    labelNames: ['flow', 'result'],
    registers,
  });
  const binds = new Counter({
    name: 'klutch_backend_binds_total',
    help: 'Binds by flow and outcome.',
    labelNames: ['flow', 'result'],
    registers,
  });
  return {
    requested: (route, method, status, seconds) => {
      const labels = { route, method, status: String(status) };
      requests.observe(labels, seconds);
      total.inc(labels);
    },
    loggedIn: (flow, result) => logins.inc({ flow, result }),
    bound: (flow, result) => binds.inc({ flow, result }),
  };
}
