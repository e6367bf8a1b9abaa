import { isObject, type Node } from '@klutch/cel';
import { readMetadata } from '../../metadata/read-metadata.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { invalid } from '../fields/field-error.ts';
import { child, index, key } from '../fields/field-path.ts';

/** What came of reading the embedded resources of an object. */
export interface Coerced {
  /** Paths of fields that metadata does not have; they were removed. */
  readonly unknown: readonly string[];
  /** The first thing that cannot be read at all. */
  readonly problem?: FieldCause;
}

/**
 * Brings the metadata of embedded resources, in place, into the form Kubernetes stores.
 * @param dropsMalformed whether what cannot be read goes, as it does when objects come from storage
 */
export function coerceEmbedded(value: unknown, node: Node, path = '', dropsMalformed = false): Coerced {
  const coercer = new Coercer(dropsMalformed);
  const problem = coercer.coerce(value, node, path);
  return { unknown: coercer.unknown.sort(), problem };
}

class Coercer {
  readonly unknown: string[] = [];
  readonly #dropsMalformed: boolean;

  constructor(dropsMalformed: boolean) {
    this.#dropsMalformed = dropsMalformed;
  }

  coerce(value: unknown, node: Node | undefined, path: string): FieldCause | undefined {
    if (!node?.anyEmbedded) return undefined;
    if (Array.isArray(value)) return firstProblem(value, (item, at) => this.coerce(item, node.items, index(path, at)));
    if (!isObject(value)) return undefined;
    const own = node.embedded ? this.#resource(value, path) : undefined;
    if (own) return own;
    return firstProblem(Object.entries(value), ([name, inner]) => {
      const property = node.properties?.get(name);
      return property
        ? this.coerce(inner, property, child(path, name))
        : this.coerce(inner, node.additional, key(path, name));
    });
  }

  #resource(resource: Record<string, unknown>, path: string): FieldCause | undefined {
    for (const name of ['apiVersion', 'kind']) {
      const value = resource[name];
      if (value === undefined || typeof value === 'string') continue;
      if (!this.#dropsMalformed) return invalid(child(path, name), value, 'must be a string');
      delete resource[name];
    }
    return Object.hasOwn(resource, 'metadata') ? this.#metadata(resource, child(path, 'metadata')) : undefined;
  }

  #metadata(resource: Record<string, unknown>, path: string): FieldCause | undefined {
    const { metadata } = resource;
    // Reading changes what it reads, and the problem shows it as it was.
    const read = readMetadata(structuredClone(metadata), undefined);
    if (!('problem' in read)) {
      resource['metadata'] = read.metadata;
      this.unknown.push(...read.unknown.map((name) => path.replace(/metadata$/, name)));
      return undefined;
    }
    if (!this.#dropsMalformed) return invalid(path, metadata, read.problem);
    if (isObject(metadata)) resource['metadata'] = readableFields(metadata);
    return undefined;
  }
}

function readableFields(metadata: Record<string, unknown>): object {
  const fields = Object.entries(metadata).map(([name, value]) => readMetadata({ [name]: value }, undefined));
  return Object.assign({}, ...fields.map((read) => ('problem' in read ? {} : read.metadata)));
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
