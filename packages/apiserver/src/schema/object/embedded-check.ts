import { dns1035LabelProblems, isObject, type Node } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { invalid, required } from '../fields/field-error.ts';
import { child, index, key } from '../fields/field-path.ts';
import { metadataProblems } from './embedded-metadata.ts';

/** Checks `apiVersion`, `kind` and `metadata` of resources embedded anywhere in a value. */
export function embeddedProblems(value: unknown, node: Node | undefined, path = ''): FieldCause[] {
  if (!node?.anyEmbedded) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => embeddedProblems(item, node.items, index(path, at)));
  if (!isObject(value)) return [];
  const below = Object.entries(value).flatMap(([name, inner]) => {
    const property = node.properties?.get(name);
    return property
      ? embeddedProblems(inner, property, child(path, name))
      : embeddedProblems(inner, node.additional, key(path, name));
  });
  return node.embedded ? [...resourceProblems(value, path), ...below] : below;
}

/** What is wrong with the type and the metadata of one resource. */
export function resourceProblems(resource: Readonly<Record<string, unknown>>, path: string): FieldCause[] {
  return [
    ...apiVersionProblems(resource['apiVersion'], child(path, 'apiVersion')),
    ...kindProblems(resource['kind'], child(path, 'kind')),
    ...(Object.hasOwn(resource, 'metadata') ? metadataProblems(resource['metadata'], child(path, 'metadata')) : []),
  ];
}

function apiVersionProblems(apiVersion: unknown, path: string): FieldCause[] {
  if (apiVersion === undefined) return [required(path)];
  if (typeof apiVersion !== 'string') return [invalid(path, apiVersion, 'must be a string')];
  if (apiVersion === '') return [invalid(path, apiVersion, 'must not be empty')];
  if (apiVersion.split('/').length <= 2) return [];
  return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

function kindProblems(kind: unknown, path: string): FieldCause[] {
  if (kind === undefined) return [required(path)];
  if (typeof kind !== 'string') return [invalid(path, kind, 'must be a string')];
  if (kind === '') return [invalid(path, kind, 'must not be empty')];
  const problems = dns1035LabelProblems(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}
