import {
  Array as List,
  Boolean as Switch,
  Object as Fields,
  type Static,
  String as Text,
  type TSchema,
  Unsafe,
} from 'typebox';
import type { Json } from '../catalogue.ts';

// Building blocks of the schemas of files. They use no more of JSON Schema than `shape-problems.ts` understands.

export const text = (description: string, options: { pattern?: string; title?: string } = {}) =>
  Text({ description, minLength: 1, ...options });

export const flag = (description: string) => Switch({ description });

/** One of a few words. */
export const word = <const W extends readonly string[]>(description: string, words: W) =>
  Unsafe<W[number]>({ description, type: 'string', enum: words });

/** Entries under names that whoever writes the file chooses. */
export const named = <T extends TSchema>(description: string, entry: T) =>
  Unsafe<Readonly<Record<string, Static<T>>>>({ description, type: 'object', additionalProperties: entry });

export const list = <T extends TSchema>(description: string, item: T) => List(item, { description });

export const texts = (description: string) => list(description, Text({ minLength: 1 }));

/** Anything that JSON can say. */
export const json = (description: string) => Unsafe<Json>({ description });

/** Exactly these fields. */
export const fields = <P extends Record<string, TSchema>>(description: string, properties: P) =>
  Fields(properties, { description, additionalProperties: false });

/** A shape that is described once, under `$defs`. */
export const ref = <T>(name: string) => Unsafe<T>({ $ref: `#/$defs/${name}` });

export const oneOf = <T>(description: string, ...shapes: readonly TSchema[]) =>
  Unsafe<T>({ description, anyOf: shapes });

/** The name of something in Kubernetes, as far as it becomes part of other names. */
export const shortName = (description: string) =>
  text(description, {
    pattern: '^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$',
    title: 'up to 40 lower-case letters, digits and dashes, beginning with a letter',
  });
