import { invalid, tooLong } from '../../schema/fields/field-error.ts';
import { key as keyPath } from '../../schema/fields/field-path.ts';
import type { FieldCause } from '../../status/status-error.ts';

/** The most that the values of a Secret or ConfigMap may hold together. */
const MAX_BYTES = 1024 * 1024;

const KEY = /^[-._a-zA-Z0-9]+$/;
const KEY_PROBLEM =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What is wrong with the keys of a Secret or ConfigMap. */
export function keyCauses(entries: Readonly<Record<string, string>>, field: string): readonly FieldCause[] {
  return Object.keys(entries).flatMap((key) =>
    keyProblems(key).map((problem) => invalid(keyPath(field, key), key, problem)),
  );
}

/** @param field the one to blame when there is too much */
export function sizeCauses(bytes: number, field: string): readonly FieldCause[] {
  return bytes > MAX_BYTES ? [tooLong(field, MAX_BYTES)] : [];
}

function keyProblems(key: string): readonly string[] {
  const problems = key.length > 253 ? ['must be no more than 253 characters'] : [];
  if (!KEY.test(key)) problems.push(KEY_PROBLEM);
  // These would be other folders when the entries become files.
  if (key === '.') problems.push("must not be '.'");
  else if (key === '..') problems.push("must not be '..'");
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}
