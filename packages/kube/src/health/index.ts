export { type CheckResult, type HealthCheck, runChecks } from './check.ts';
export {
  type HealthServer,
  type HealthServerOptions,
  type MetricsSource,
  startHealthServer,
} from './health-server.ts';
export { createMetrics, type Metrics } from './metrics.ts';
