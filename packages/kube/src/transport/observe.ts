import { type Span, SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api';
import { Counter, Histogram, type Registry } from 'prom-client';
import { isKubeError } from '../errors/kube-error.ts';
import type { Interceptor } from './types.ts';

/** Counts and times requests by verb, resource and status; one set of metrics per registry. */
export function measure(registry: Registry): Interceptor {
  const labelNames = ['verb', 'resource', 'status'] as const;
  const total = existing(registry, 'klutch_kube_requests_total') as Counter<'verb' | 'resource' | 'status'> | undefined;
  const requests =
    total ??
    new Counter({
      name: 'klutch_kube_requests_total',
      help: 'Requests to Kubernetes API servers by verb, resource and HTTP status or error code.',
      labelNames,
      registers: [registry],
    });
  const timed = existing(registry, 'klutch_kube_request_duration_seconds') as Histogram<'verb'> | undefined;
  const seconds =
    timed ??
    new Histogram({
      name: 'klutch_kube_request_duration_seconds',
      help: 'Time from sending a request to the first byte of its answer.',
      labelNames: ['verb'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    });
  return (next) => async (request) => {
    const { verb, resource } = request.about;
    const stop = seconds.startTimer({ verb });
    try {
      const response = await next(request);
      requests.inc({ verb, resource, status: String(response.status) });
      return response;
    } catch (error) {
      const status = isKubeError(error) ? String(error.status ?? error.code) : 'error';
      requests.inc({ verb, resource, status });
      throw error;
    } finally {
      stop();
    }
  };
}

/** Opens a client span around each request and passes it on to the server; costs nothing while no tracer is installed. */
export function traceRequests(): Interceptor {
  const tracer = trace.getTracer('@klutch/kube');
  return (next) => (request) =>
    tracer.startActiveSpan(
      `${request.about.verb} ${request.about.resource}`,
      { kind: SpanKind.CLIENT, attributes: { 'http.request.method': request.method } },
      async (span) => {
        const headers = { ...request.headers };
        propagation.inject(context.active(), headers);
        try {
          const response = await next({ ...request, headers });
          span.setAttribute('http.response.status_code', response.status);
          return response;
        } catch (error) {
          markFailed(span, error);
          throw error;
        } finally {
          span.end();
        }
      },
    );
}

function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  if (isKubeError(error)) span.setAttribute('error.type', error.code);
}

function existing(registry: Registry, name: string): unknown {
  return registry.getSingleMetric(name);
}
