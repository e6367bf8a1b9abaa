import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isLoopback } from '@klutch/api/contract';
import { type Flags, type TextFlag, usage } from './flags.ts';

/** Seconds of a time such as `30s`, `15m`, `12h`, `7d` or, as Go writes it, `1h30m0s`. */
export function secondsOf(flags: Flags, flag: TextFlag, standard: string, least: string): number {
  const text = flags.text(flag) ?? standard;
  const seconds = parseSeconds(text);
  if (seconds === undefined || seconds < (parseSeconds(least) ?? 0)) {
    throw usage(flag, `must be a time of at least ${least}, such as ${standard}, not "${text}"`);
  }
  return seconds;
}

/** A whole number of at least one. */
export function countOf(flags: Flags, flag: TextFlag, standard: number): number {
  const text = flags.text(flag) ?? String(standard);
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw usage(flag, `must be a whole number of at least 1, not "${text}"`);
  return count;
}

/** One of some words, in whatever case it was written. */
export function choiceOf<T extends string>(
  flags: Flags,
  flag: TextFlag,
  [standard, ...others]: readonly [T, ...T[]],
): T {
  const text = flags.text(flag) ?? standard;
  const found = [standard, ...others].find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw usage(flag, `must be one of ${[standard, ...others].join(', ')}, not "${text}"`);
  return found;
}

/** An http or https URL, as it was given but for a slash at its end. */
export function urlOf(flag: TextFlag, text: string, isHttpAllowed: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.hash) {
    throw usage(flag, `must be an https URL without user, password and fragment, not "${text}"`);
  }
  if (url.protocol === 'http:' && !isHttpAllowed && !isLoopback(url)) {
    const why = 'since credentials travel over it; --insecure-http lifts that for trying things out';
    throw usage(flag, `must be https, ${why}`);
  }
  return text.replace(/\/+$/, '');
}

/** The text of a file that a flag names. */
export async function fileOf(flag: TextFlag, file: string): Promise<string> {
  const path = resolve(file);
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw usage(flag, `names ${path}, which ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`);
  }
}

/** Certificates in a file that a flag names. */
export async function certificatesOf(flag: TextFlag, file: string): Promise<string> {
  const pem = await fileOf(flag, file);
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
    throw usage(flag, `names ${resolve(file)}, which holds no certificate in PEM form`);
  }
  return pem;
}

/** Bytes from base64. The message of an error does not quote them. */
export function keyOf(flag: string, text: string, lengths: (length: number) => boolean, wanted: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
  if (!bytes) throw usage(flag, 'must be base64');
  if (!lengths(bytes.length)) throw usage(flag, `must be base64 of ${wanted}, not of ${bytes.length}`);
  return bytes;
}

function parseSeconds(text: string): number | undefined {
  const found = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!found || text === '') return undefined;
  const [days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
