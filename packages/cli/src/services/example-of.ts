import type { UnknownObject } from '@klutch/kube';
import type { Parameter, Service } from './service-of.ts';

/** Pure: a manifest to start from: what the provider has for that, else all that is required, with defaults or the first value that is allowed. */
export function exampleOf(service: Service, namespace?: string): UnknownObject {
  const spec: Record<string, unknown> = {};
  for (const parameter of service.parameters.filter(({ required }) => required)) {
    place(spec, parameter.path.split('.'), exampleValue(parameter));
  }
  const name = `my-${service.kind.toLowerCase()}`;
  return {
    apiVersion: service.apiVersion,
    kind: service.kind,
    metadata: { name, ...(service.namespaced && namespace !== undefined ? { namespace } : {}) },
    spec: service.example ?? spec,
  };
}

function exampleValue({ default: preset, values, type }: Parameter): unknown {
  if (preset !== undefined) return preset;
  if (values?.[0] !== undefined) return values[0];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type.startsWith('list of')) return [];
  return type === 'object' ? {} : '…';
}

function place(into: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = (into[first] ?? {}) as Record<string, unknown>;
  into[first] = inner;
  place(inner, rest, value);
}
