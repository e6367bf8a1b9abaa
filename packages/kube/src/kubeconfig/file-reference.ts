import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { cleanToken } from '../auth/bearer-token.ts';
import { fileProblem } from '../auth/file-problem.ts';
import { pemProblem } from '../auth/pem.ts';
import { KubeError } from '../errors/kube-error.ts';
import type { Field } from './fields.ts';
import { invalidField, type Place } from './place.ts';

/** A file that a kubeconfig names, and what it must hold. */
export interface FileReference {
  readonly path: string;
  readonly place: Place;
  readonly holds: 'certificate' | 'key' | 'token';
}

/** The file a field names; a relative path starts from the folder of the kubeconfig that holds it. */
export function fileReference(field: Field<string>, folder: string, holds: FileReference['holds']): FileReference {
  return { path: absolutePath(field.value, folder), place: field.place, holds };
}

/** A path as client-go resolves it against the folder of its kubeconfig. */
export function absolutePath(path: string, folder: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/**
 * Reads each file once, so that a wrong path is reported when the kubeconfig is loaded and not at the first request.
 * Throws `KUBE_CONFIG_UNREADABLE` or `KUBE_CONFIG_INVALID` naming the kubeconfig, line, field and file.
 */
export async function checkFiles(files: readonly FileReference[]): Promise<void> {
  for (const file of files) {
    const problem = contentProblem(await readReferenced(file), file.holds);
    if (problem) throw invalidField(file.place, `the file ${file.path} ${problem}.`);
  }
}

async function readReferenced({ path, place }: FileReference): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const message = `${String(place)}: the file ${path} ${fileProblem(cause)}. Correct the path or provide the file.`;
    throw new KubeError('KUBE_CONFIG_UNREADABLE', message, { cause });
  }
}

function contentProblem(text: string, holds: FileReference['holds']): string | undefined {
  if (holds !== 'token') return pemProblem(text, holds);
  return cleanToken(text) === undefined ? 'does not hold a token in one line' : undefined;
}
