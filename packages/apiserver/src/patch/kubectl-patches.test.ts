import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '@klutch/cel';

import type { Json, JsonObject } from '../objects/api-object.ts';
import { applyMergePatch } from './merge-patch.ts';
import { isPartOf } from './part-of.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

interface RecordedPatch {
  readonly what: string;
  readonly type: string;
  readonly before: JsonObject;
  readonly patch: Json;
  /** What kube-apiserver made of it, defaults included. */
  readonly after: JsonObject;
}

const [header, ...lines] = readFileSync(new URL('kubectl-patches.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const { kubectl, kubernetes, schemas } = JSON.parse(header ?? '') as {
  kubectl: string;
  kubernetes: string;
  schemas: Record<string, JsonSchema>;
};

describe(`patches that kubectl ${kubectl} sends, as Kubernetes ${kubernetes} understands them`, () => {
  it.each(lines.map((line) => JSON.parse(line) as RecordedPatch))('$what', ({ type, before, patch, after }) => {
    const given = JSON.stringify([before, patch]);
    const schema = schemas[before.kind as string] ?? {};
    const patched = type.startsWith('application/strategic')
      ? applyStrategicMergePatch(before, patch, schema)
      : applyMergePatch(before, patch);
    expect(isPartOf(patched, after), JSON.stringify({ patched, after })).toBe(true);
    expect(JSON.stringify([before, patch]), 'the input must stay as it is').toBe(given);
  });
});
