import type { FieldCause } from '../../status/status-error.ts';
import { invalid } from '../fields/field-error.ts';
import { child, index, key } from '../fields/field-path.ts';
import { metadataShapeProblem, tidyMetadata } from './metadata-shape.ts';
import { isObject, type Node } from './node.ts';

/** What came of reading the embedded resources of an object. */
export interface Coerced {
  /** Paths of fields that metadata does not have; they were removed. */
  readonly unknown: readonly string[];
  /** The first thing that cannot be read at all. */
  readonly problem?: FieldCause;
}

/** Brings the metadata of embedded resources, in place, into the form Kubernetes stores. */
export function coerceEmbedded(value: unknown, node: Node, path = ''): Coerced {
  const unknown: string[] = [];
  const problem = coerce(value, node, path, unknown);
  return { unknown: unknown.sort(), problem };
}

function coerce(value: unknown, node: Node | undefined, path: string, unknown: string[]): FieldCause | undefined {
  if (!node?.anyEmbedded) return undefined;
  if (Array.isArray(value))
    return firstProblem(value, (item, at) => coerce(item, node.items, index(path, at), unknown));
  if (!isObject(value)) return undefined;
  const own = node.embedded ? coerceResource(value, path, unknown) : undefined;
  if (own) return own;
  return firstProblem(Object.entries(value), ([name, inner]) => {
    const property = node.properties?.get(name);
    return property
      ? coerce(inner, property, child(path, name), unknown)
      : coerce(inner, node.additional, key(path, name), unknown);
  });
}

function firstProblem<T>(
  parts: readonly T[],
  work: (part: T, at: number) => FieldCause | undefined,
): FieldCause | undefined {
  for (const [at, part] of parts.entries()) {
    const problem = work(part, at);
    if (problem) return problem;
  }
  return undefined;
}

function coerceResource(resource: Record<string, unknown>, path: string, unknown: string[]): FieldCause | undefined {
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name];
    if (value !== undefined && typeof value !== 'string') return invalid(child(path, name), value, 'must be a string');
  }
  if (!Object.hasOwn(resource, 'metadata')) return undefined;
  const metadata = resource['metadata'] ?? {};
  const problem = metadataShapeProblem(metadata);
  if (problem !== undefined) return invalid(child(path, 'metadata'), metadata, problem);
  unknown.push(
    ...tidyMetadata(metadata as Record<string, unknown>).map((name) => `${child(path, 'metadata')}.${name}`),
  );
  resource['metadata'] = metadata;
  return undefined;
}
