import { readFileSync } from 'node:fs';
import type { JsonSchema } from '@klutch/cel';

import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { copyJson, isObject } from '../patch/json-value.ts';
import { builtInResetFields } from './built-in-reset-fields.ts';
import { customResourceResetFields, type OwnershipScope } from './scope.ts';
import { compileType } from './value-type.ts';

/** For tests: a sequence of requests to one object, and what a real kube-apiserver answered. Times are step numbers. */
export interface RecordedScenario {
  readonly name: string;
  readonly kind: string;
  readonly steps: readonly RecordedStep[];
}

export interface RecordedStep {
  readonly verb: 'create' | 'put' | 'apply' | 'json' | 'merge' | 'strategic' | 'scale';
  readonly manager: string;
  readonly version?: string;
  readonly subresource?: string;
  readonly force?: boolean;
  readonly body: Json;
  /** The object in the answer; after a scale request, the object that was scaled. */
  readonly object?: ApiObject;
  /** The request did not lead to a write. */
  readonly unchanged?: boolean;
  readonly error?: {
    readonly code: number;
    readonly reason?: string;
    readonly message: string;
    readonly details?: object;
  };
}

const [header, ...lines] = readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const { kubernetes, schemas } = JSON.parse(header ?? '') as {
  kubernetes: string;
  schemas: Record<string, JsonSchema>;
};

export const recordedVersion = kubernetes;
export const recordedScenarios = lines.map((line) => JSON.parse(line) as RecordedScenario);

const compiled = new Map(Object.entries(schemas).map(([name, schema]) => [name, compileType(schema)]));
/** What objects of built-in kinds have before anything is set. */
const BLANK: Readonly<Record<string, JsonObject>> = {
  ConfigMap: { metadata: {} },
  Service: { metadata: {}, spec: {}, status: { loadBalancer: {} } },
  Deployment: {
    metadata: {},
    spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  },
};
const WIDGET_VERSIONS = ['example.org/v1', 'example.org/v2'];

export function schemaOf(kind: string, apiVersion: string): JsonSchema {
  return schemas[`${apiVersion} ${kind}`] ?? schemas[apiVersion] ?? {};
}

export function scopeOf(kind: string, { version = 'v1', subresource }: RecordedStep): OwnershipScope {
  const blank = BLANK[kind];
  if (blank === undefined) {
    const apiVersion = `example.org/${version}`;
    const reset = customResourceResetFields(apiVersion, subresource, WIDGET_VERSIONS);
    return { apiVersion, kind, types: compiled, reset, subresource };
  }
  const apiVersion = kind === 'Deployment' ? 'apps/v1' : 'v1';
  const type = compiled.get(`${apiVersion} ${kind}`) ?? compiled.get(apiVersion) ?? compileType(undefined);
  const fields = builtInResetFields(kind, kind !== 'ConfigMap', subresource);
  const reset = fields === undefined ? undefined : new Map([[apiVersion, fields]]);
  return { apiVersion, kind, types: new Map([[apiVersion, type]]), reset, subresource, builtIn: { blank } };
}

/** Fills in the defaults of a schema; enough for what was recorded. */
export function withDefaults<Value extends Json>(schema: JsonSchema, value: Value): Value {
  const copy = copyJson(value);
  fillIn(schema, copy);
  return copy;
}

function fillIn(schema: JsonSchema, value: Json): void {
  if (Array.isArray(value)) value.forEach((item) => fillIn(schema.items ?? {}, item));
  if (!isObject(value)) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined) value[name] ??= property.default as Json;
    if (value[name] !== undefined) fillIn(property, value[name]);
  }
}
