import { compareBytes, isSchema, type JsonSchema } from '@klutch/cel';
import type { FieldCause } from '../../status/status-error.ts';
import { isFilled, itemsOf } from '../crd/raw-schema.ts';
import { errorText, forbidden, invalid, required } from '../fields/field-error.ts';
import { child, key } from '../fields/field-path.ts';
import { completenessProblems } from './completeness.ts';
import { isIntOrStringAllOf, isIntOrStringAnyOf, junctorProblems } from './junctors.ts';

type Level = 'root' | 'item' | 'field';

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Checks that a schema is structural: that it says of every part what it is, and only once. */
export function structuralProblems(schema: JsonSchema, path: string): FieldCause[] {
  const problems = [...partProblems(schema, 'root', path), ...completenessProblems(schema, path)];
  return problems.sort((a, b) => compareBytes(errorText(a), errorText(b)));
}

function partProblems(schema: JsonSchema, level: Level, path: string): FieldCause[] {
  const { additionalProperties, properties = {} } = schema;
  const items = itemsOf(schema);
  return [
    ...(schema.type === 'array' && !items ? [required(child(path, 'items'), 'must be specified')] : []),
    ...(items ? partProblems(items, 'item', child(path, 'items')) : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      partProblems(property, 'field', key(child(path, 'properties'), name)),
    ),
    ...(additionalProperties !== undefined && level === 'root'
      ? [forbidden(child(path, 'additionalProperties'), 'must not be used at the root')]
      : []),
    ...(isSchema(additionalProperties)
      ? partProblems(additionalProperties, 'field', child(path, 'additionalProperties'))
      : []),
    ...extensionProblems(schema, path),
    ...junctorProblems(schema, isIntOrStringAnyOf(schema), isIntOrStringAllOf(schema), path),
    ...typeProblems(schema, level, path),
    ...metadataProblems(schema, level, path),
  ];
}

function extensionProblems(schema: JsonSchema, path: string): FieldCause[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  const preserve = 'x-kubernetes-preserve-unknown-fields';
  const embedded = 'x-kubernetes-embedded-resource';
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  return [
    ...(schema[preserve] ? [invalid(child(path, preserve), true, detail)] : []),
    ...(schema[embedded] ? [invalid(child(path, embedded), true, detail)] : []),
  ];
}

function typeProblems(schema: JsonSchema, level: Level, path: string): FieldCause[] {
  const { type = '', additionalProperties, properties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const mayLackType = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'];
  const problems: FieldCause[] = [];
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    problems.push(type === '' ? required(child(path, 'type'), detail) : invalid(child(path, 'type'), type, detail));
  } else if (type === '' && !mayLackType) {
    problems.push(required(child(path, 'type'), MISSING_TYPE[level]));
  }
  if (isEmbedded && additionalProperties !== undefined) {
    problems.push(
      forbidden(child(path, 'additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    problems.push(invalid(child(path, 'type'), type, 'must be object at the root'));
  }
  if (isEmbedded && !schema['x-kubernetes-preserve-unknown-fields'] && !isFilled(properties)) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    problems.push(required(child(path, 'properties'), detail));
  }
  return problems;
}

/** What the root and embedded resources may say about the fields every resource has. */
function metadataProblems(schema: JsonSchema, level: Level, path: string): FieldCause[] {
  const { properties = {} } = schema;
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const at = (name: string) => key(child(path, 'properties'), name);
  const typed = isResource
    ? ['kind', 'apiVersion'].flatMap((name) => {
        const type = Object.hasOwn(properties, name) ? (properties[name]?.type ?? '') : 'string';
        return type === 'string' ? [] : [invalid(child(at(name), 'type'), type, 'must be string')];
      })
    : [];
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined;
  if (!metadata) return typed;
  const shape =
    isResource && metadata.type !== 'object'
      ? [invalid(child(at('metadata'), 'type'), metadata.type ?? '', 'must be object')]
      : [];
  if (level !== 'root' || saysOnlyNames(metadata)) return [...typed, ...shape];
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...typed, ...shape, forbidden(at('metadata'), detail)];
}

/** At the root, metadata may only be restricted in its names. */
function saysOnlyNames(metadata: JsonSchema): boolean {
  const { properties = {} } = metadata;
  const others = Object.entries(metadata).filter(([name]) => !IGNORED_IN_METADATA.has(name));
  const onlyNames = Object.keys(properties).every((name) => name === 'name' || name === 'generateName');
  return onlyNames && others.every(([, value]) => isZero(value));
}

/** Checked elsewhere, or without a meaning for objects. */
const IGNORED_IN_METADATA = new Set(['type', 'default', 'properties', 'example', 'externalDocs']);

function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
