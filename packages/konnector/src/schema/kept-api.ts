import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { annotations, type CustomResourceDefinition } from '@klutch/api';
import type { Api } from './compare/compare-apis.ts';

/**
 * The API that a CRD goes on to serve while a change of its export is held back, as the CRD itself remembers it: edits
 * by others can be undone only by whoever knows what was there before. Undefined when it remembers none, or one that
 * cannot be its own.
 */
export function keptApi({ metadata, spec }: CustomResourceDefinition): Api | undefined {
  const text = metadata.annotations?.[annotations.keptSchema];
  const api = text === undefined ? undefined : unpacked(text);
  const isOwn = api?.group === spec.group && api.scope === spec.scope && api.names?.plural === spec.names.plural;
  return isOwn && Array.isArray(api.versions) ? api : undefined;
}

/** The mark by which a CRD remembers the API it serves; undefined when that is too large for an annotation. */
export function keptMark({ group, names, scope, versions }: Api): string | undefined {
  const text = deflateRawSync(JSON.stringify({ group, names, scope, versions })).toString('base64');
  return text.length > maxLength ? undefined : text;
}

/** Half of what all annotations of an object may take together. */
const maxLength = 128 * 1024;
const maxUnpacked = 16 * 1024 * 1024;

/** Nothing is known of it: anybody may have written that annotation. */
function unpacked(text: string): Api | undefined {
  try {
    const json = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: maxUnpacked }).toString();
    const found: unknown = JSON.parse(json);
    return typeof found === 'object' && found !== null ? (found as Api) : undefined;
  } catch {
    return undefined;
  }
}
