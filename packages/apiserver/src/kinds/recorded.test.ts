import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metadataProblems } from '../metadata/validate-metadata.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { apiVersionOf, type ServedResource } from '../registry/served-resource.ts';
import { badRequest, invalid, StatusError } from '../status/status-error.ts';
import { tableOf } from '../table/index.ts';
import { builtInResources } from './built-in-resources.ts';

/** What a real kube-apiserver 1.35.4 answered. */
function recorded(file: string): readonly unknown[] {
  const text = readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

function servedFor({ apiVersion, kind }: ApiObject): ServedResource {
  const served = builtInResources.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
  if (!served) throw new Error(`${kind} is not served`);
  return served;
}

const copy = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;

/** Everything that is particular about the kind when an object is created. */
function create(sent: ApiObject): ApiObject {
  const served = servedFor(sent);
  const object = copy(sent);
  const unknown = served.schema?.prune(object) ?? [];
  const { kind } = served;
  if (unknown.length > 0) {
    const fields = unknown.map((path) => `unknown field "${path}"`).join(', ');
    throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: ${fields}`);
  }
  if (served.namespaced) object.metadata.namespace = 't1';
  if (served.hasStatus) delete object['status'];
  if (served.strategy.tracksGeneration) object.metadata.generation = 1;
  served.strategy.prepareCreate?.(object);
  served.schema?.applyDefaults(object);
  const causes = [...metadataProblems(object, served), ...(served.strategy.validateCreate?.(object) ?? [])];
  if (causes.length > 0) throw invalid(served.group, kind, object.metadata.name ?? '', causes);
  const { name, labels, generation } = object.metadata;
  return copy({ ...object, metadata: { name, labels, generation } });
}

/** The message that a client gets, or `ok`. */
function update(old: ApiObject, wanted: ApiObject, subresource: string | undefined): string {
  const served = servedFor(old);
  const before = copy(old);
  served.schema?.prune(before);
  served.strategy.prepareCreate?.(before);
  served.schema?.applyDefaults(before);
  const after = copy(wanted);
  served.schema?.prune(after);
  if (subresource === undefined) served.strategy.prepareUpdate?.(after, before);
  if (served.hasStatus)
    after[subresource === 'status' ? 'spec' : 'status'] = copy(before[subresource === 'status' ? 'spec' : 'status']);
  served.schema?.applyDefaults(after);
  const causes = served.strategy.validateUpdate?.(after, before) ?? [];
  return causes.length === 0 ? 'ok' : invalid(served.group, served.kind, old.metadata.name ?? '', causes).message;
}

function messageOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

describe('an object of a built-in kind that is created', () => {
  const facts = recorded('creations.jsonl') as readonly { sent: ApiObject; object?: ApiObject; message?: string }[];

  it.each(
    facts
      .filter(({ object }) => object)
      .map(({ sent, object }) => [JSON.stringify(sent).slice(0, 160), sent, object] as const),
  )('is completed as Kubernetes does: %s', (_, sent, object) => {
    expect(create(sent)).toEqual(object);
  });

  it.each(
    facts
      .filter(({ message }) => message)
      .map(({ sent, message }) => [JSON.stringify(sent).slice(0, 160), sent, message] as const),
  )('is refused in the words of Kubernetes: %s', (_, sent, message) => {
    expect(messageOf(() => create(sent))).toBe(message);
  });

  it.each(facts.flatMap(({ sent, object }) => (object ? [[JSON.stringify(sent).slice(0, 160), object] as const] : [])))(
    'stays as it is when it is read again: %s',
    (_, object) => {
      const read = copy(object);
      const { schema } = servedFor(object);

      expect(schema?.prune(read)).toEqual([]);
      schema?.applyDefaults(read);

      expect(read).toEqual(object);
    },
  );
});

describe('a change of an object of a built-in kind', () => {
  const facts = recorded('updates.jsonl') as readonly { old: ApiObject; now: object; sub?: string; answer: string }[];

  it.each(facts.map((fact) => [fact.old.kind, JSON.stringify(fact.now), fact] as const))(
    '%s %s is judged as Kubernetes does',
    (_kind, _now, { old, now, sub, answer }) => {
      expect(update(old, { ...old, ...now }, sub)).toBe(answer);
    },
  );
});

describe('a row of kubectl get', () => {
  const facts = recorded('rows.jsonl') as readonly { now: string; cells: readonly unknown[]; object: ApiObject }[];

  it.each(facts.map((fact) => [fact.object.kind, fact.object.metadata.name, fact] as const))(
    '%s %s has the cells of Kubernetes',
    (_kind, _name, { now, cells, object }) => {
      const table = tableOf(servedFor(object), [object], { now: new Date(now) });

      expect(table.rows[0]?.cells).toEqual(cells);
    },
  );
});
