import { describe, expect, it } from 'vitest';

import type { ApiObject, Json, JsonObject } from '../objects/api-object.ts';
import { sameContent } from '../operations/same-content.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from '../patch/index.ts';
import { isPartOf } from '../patch/part-of.ts';
import { StatusError } from '../status/status-error.ts';
import { applyPatch } from './apply-patch.ts';
import { conflictError } from './conflict-error.ts';
import { recordedScenarios, type RecordedStep, recordedVersion, schemaOf, scopeOf, withDefaults } from './recorded.ts';
import { trackScale } from './track-scale.ts';
import { trackUpdate } from './track-update.ts';

describe(`requests as Kubernetes ${recordedVersion} answered them`, () => {
  it.each(recordedScenarios)('$name', ({ kind, steps }) => {
    let live: ApiObject | undefined;
    for (const [index, step] of steps.entries()) {
      const before = JSON.stringify(live);
      const answer = answerOf(kind, step, live, index);
      expect(JSON.stringify(live), `step ${index} must not change its input`).toBe(before);
      expectSameAnswer(kind, step, answer, live, index);
      live = step.object ?? live;
    }
  });
});

type Answer = { readonly object: ApiObject } | { readonly error: StatusError };

function answerOf(kind: string, step: RecordedStep, live: ApiObject | undefined, index: number): Answer {
  const now = new Date(Date.UTC(2030, 0, 1, 0, 0, index));
  const scope = scopeOf(kind, step);
  const stored = live === undefined ? undefined : { ...live, apiVersion: scope.apiVersion };
  try {
    if (step.verb === 'apply') {
      const { manager, force = false } = step;
      const result = applyPatch({ scope, live: stored, applied: step.body, manager, force, now });
      if ('conflicts' in result) return { error: conflictError(result.conflicts) };
      return { object: asStored(kind, step, stored, result.object) };
    }
    if (step.verb === 'scale') return { object: scaled(scope.apiVersion, step, stored as ApiObject) };
    const updated = updatedObject(kind, scope.apiVersion, step, stored);
    const object = trackUpdate({ scope, live: stored, updated, manager: step.manager, now });
    return { object: asStored(kind, step, stored, object) };
  } catch (error) {
    if (error instanceof StatusError) return { error };
    throw error;
  }
}

/** The object a write other than an apply leads to. Kinds that are built in get their defaults from the recording. */
function updatedObject(kind: string, apiVersion: string, step: RecordedStep, live: ApiObject | undefined): ApiObject {
  const updated = patched(step, live as unknown as JsonObject, schemaOf(kind, apiVersion));
  if (isCustom(kind)) return withDefaults(schemaOf(kind, apiVersion), updated) as unknown as ApiObject;
  if (step.object === undefined || step.subresource !== undefined) return updated as unknown as ApiObject;
  const sent = (updated as unknown as ApiObject).metadata.managedFields;
  expect(isPartOf(contentOf(updated as unknown as ApiObject), contentOf(step.object))).toBe(true);
  return { ...step.object, metadata: { ...step.object.metadata, managedFields: sent } };
}

function patched({ verb, body }: RecordedStep, live: JsonObject, schema: object): JsonObject {
  if (verb === 'json') return applyJsonPatch(live, body) as JsonObject;
  if (verb === 'merge') return applyMergePatch(live, body) as JsonObject;
  return verb === 'strategic' ? applyStrategicMergePatch(live, body, schema) : (body as JsonObject);
}

/** What a server does between ownership and storage: it puts back what the endpoint cannot change. */
function asStored(kind: string, step: RecordedStep, live: ApiObject | undefined, object: ApiObject): ApiObject {
  if (!isCustom(kind)) return live === undefined ? object : stateAfter(live, object);
  const { status, ...rest } = withDefaults(schemaOf(kind, object.apiVersion), object as unknown as JsonObject);
  const stored = { ...rest, ...(live?.status === undefined ? {} : { status: live.status }) } as unknown as ApiObject;
  if (live === undefined) return stored;
  if (step.subresource === undefined) return stateAfter(live, stored);
  const { managedFields } = object.metadata;
  const { status: _, ...kept } = live;
  const changed = { ...kept, ...(status === undefined ? {} : { status }) };
  return stateAfter(live, { ...changed, metadata: { ...live.metadata, managedFields } });
}

/** A write that changes nothing but times is none. */
function stateAfter(live: ApiObject, wanted: ApiObject): ApiObject {
  return sameContent(live, wanted) ? live : wanted;
}

function scaled(apiVersion: string, { body, manager }: RecordedStep, live: ApiObject): ApiObject {
  const { replicas } = (body as { spec: { replicas: number } }).spec;
  const spec = live.spec as { replicas: number };
  const replicasPaths = new Map(['v1', 'v2'].map((version) => [`example.org/${version}`, '.spec.replicas']));
  if (spec.replicas === replicas) return live;
  return trackScale({ scaled: { ...live, spec: { ...spec, replicas } }, apiVersion, replicasPaths, manager });
}

function expectSameAnswer(
  kind: string,
  step: RecordedStep,
  answer: Answer,
  live: ApiObject | undefined,
  index: number,
): void {
  const what = `step ${index}: ${step.verb} by ${step.manager}`;
  if (step.error !== undefined) {
    // The rules of the schema are not checked here; a later stage refuses such objects.
    if (step.error.message.includes(' is invalid: ')) return;
    expect('error' in answer ? normalError(answer.error) : answer, what).toEqual(normalError(step.error));
    return;
  }
  if ('error' in answer) throw answer.error;
  const recorded = step.object as ApiObject;
  expect(answer.object.metadata.managedFields, what).toEqual(recorded.metadata.managedFields);
  const content = contentOf(answer.object);
  if (isCustom(kind)) expect(content, what).toEqual(contentOf(recorded));
  else if (step.subresource === undefined) expect(isPartOf(content, contentOf(recorded)), what).toBe(true);
  if (step.unchanged) expect(answer.object, what).toEqual(live);
}

function isCustom(kind: string): boolean {
  return kind === 'Widget';
}

/** Without what the server sets itself, and without managedFields. */
function contentOf({ metadata, ...object }: ApiObject): Json {
  const { uid: _, generation: __, creationTimestamp: ___, managedFields: ____, namespace: _____, ...rest } = metadata;
  return JSON.parse(JSON.stringify({ ...object, metadata: rest })) as Json;
}

/** The order of conflicts of several managers, and of problems of several fields, is random in Kubernetes. */
function normalError({
  code,
  reason,
  message,
  details,
}: Omit<StatusError, 'name' | 'toStatus'> | (RecordedStep['error'] & object)) {
  const causes = (details as { causes?: { message: string; field?: string }[] } | undefined)?.causes;
  const sorted = causes?.map((cause) => JSON.stringify({ ...cause })).sort();
  return { code, reason: reason || undefined, message: message.split('\n').sort(), causes: sorted };
}
