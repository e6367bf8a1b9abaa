import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import type { JsonObject } from '@klutch/catalog';
import type { Terminal } from '../terminal/terminal.ts';

/** The claims in a file, or on standard input. Throws `KLUTCH_USAGE` when there is none, or something else. */
export async function claimsIn(file: string, terminal: Terminal): Promise<readonly JsonObject[]> {
  const text = file === '-' ? ((await terminal.input?.().rest()) ?? '') : await textOf(file);
  const { parseAllDocuments } = await import('yaml');
  const documents = [...parseAllDocuments(text)];
  const wrong = documents.flatMap(({ errors }) => errors)[0];
  if (wrong) throw usage(file, `is not YAML: ${wrong.message.split('\n')[0]}`);
  const objects = documents.map((document) => document.toJS() as unknown).filter((object) => object !== null);
  if (objects.length === 0) throw usage(file, 'holds no claim');
  if (!objects.every(isObject)) throw usage(file, 'holds something without kind and metadata.name');
  return objects;
}

function isObject(value: unknown): value is JsonObject {
  const { kind, metadata } = (value ?? {}) as {
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown };
  };
  return typeof kind === 'string' && typeof metadata?.name === 'string';
}

/** The text of a file that a user has named. Throws `KLUTCH_USAGE` when there is none. */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw usage(resolve(file), code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  }
}

function usage(file: string, problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', `The file ${file} ${problem}.`);
}
