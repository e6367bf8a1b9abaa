import type { ObjectMeta } from '@klutch/kube';
import { fnv1a32Hex } from '../encoding/digest.ts';
import { maxNameLength } from './tenant-names.ts';

const maxPartLength = 24;

/** Name of a new APIServiceExportRequest: the one it came with, or a generated one. */
export function exportRequestMetadata(name: string | undefined): Pick<ObjectMeta, 'name' | 'generateName'> {
  return name ? { name } : { generateName: 'export-' };
}

/** Name for a second attempt when the first is taken. */
export function alternativeExportRequestMetadata(name: string): Pick<ObjectMeta, 'generateName'> {
  return { generateName: `${name}-` };
}

/**
 * Name of the APIServiceExportRequest a backend derives from an AppClusterBinding and a template. Where both parts do
 * not fit, they are shortened further; the digest at the end always stays whole.
 */
export function derivedExportRequestName(bindingName: string, templateName: string): string {
  const digest = fnv1a32Hex(templateName);
  const stem = ['appclusterbinding', namePart(bindingName), namePart(templateName)].filter(Boolean).join('-');
  return `${trimDashes(stem.slice(0, maxNameLength - digest.length - 1))}-${digest}`;
}

function namePart(text: string): string {
  const reduced = trimDashes(text.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
  return trimDashes(reduced.slice(0, maxPartLength));
}

function trimDashes(text: string): string {
  return text.replace(/^-+|-+$/g, '');
}
