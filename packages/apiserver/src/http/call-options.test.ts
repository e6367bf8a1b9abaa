import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { deletionParameters, managerFromAgent, writeParameters, type WriteKind } from './call-options.ts';
import { healthAnswer } from './health.ts';

const request = { headers: { 'user-agent': 'kubectl/v1.32 (linux)' } } as IncomingMessage;
const read = (query: string, kind: WriteKind = 'create') => writeParameters(new URLSearchParams(query), request, kind);

describe('writeParameters', () => {
  it('has defaults', () => {
    expect(read('')).toEqual({
      dryRun: false,
      fieldManager: 'kubectl',
      fieldValidation: 'Warn',
      force: false,
      options: {},
    });
  });

  it('reads everything', () => {
    expect(read('dryRun=All&fieldManager=me&fieldValidation=Strict&force=true', 'apply')).toEqual({
      dryRun: true,
      fieldManager: 'me',
      fieldValidation: 'Strict',
      force: true,
      options: { dryRun: ['All'], fieldManager: 'me', fieldValidation: 'Strict' },
    });
  });

  it.each<[string, WriteKind, string]>([
    [
      'dryRun=Some',
      'create',
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    [
      'fieldValidation=x',
      'update',
      'UpdateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "x": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    [
      'force=1',
      'patch',
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
    ['', 'apply', 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'],
    [
      'fieldManager=a%00b',
      'apply',
      String.raw`PatchOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\x00b": invalid character U+0000 (at position 1)`,
    ],
    [
      `fieldManager=${'m'.repeat(129)}`,
      'apply',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
    ],
  ])('refuses %.20s of %s', (query, kind, message) => {
    expect(() => read(query, kind)).toThrow(message);
  });
});

describe('managerFromAgent', () => {
  it.each([
    ['kubectl/v1.32 (linux)', 'kubectl'],
    ['mañana/1', 'maana'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('%s is %s', (agent, manager) => {
    expect(managerFromAgent(agent)).toBe(manager);
  });
});

describe('deletionParameters', () => {
  const query = new URLSearchParams('dryRun=All&propagationPolicy=Orphan&gracePeriodSeconds=3');

  it('come from the query when there is no body', () => {
    expect(deletionParameters(query, undefined)).toMatchObject({
      dryRun: true,
      propagation: 'Orphan',
      gracePeriodSeconds: 3,
    });
  });

  it('come from the body alone when there is one', () => {
    const body = { preconditions: { uid: 'u' }, orphanDependents: false };

    expect(deletionParameters(query, body)).toEqual({
      dryRun: false,
      uid: 'u',
      resourceVersion: undefined,
      gracePeriodSeconds: undefined,
      propagation: 'Background',
      isAsynchronous: true,
      options: body,
    });
  });

  it.each([
    [{ kind: 'Secret', apiVersion: 'v1' }, 'no kind "Secret" is registered for version "v1"'],
    [[], 'json: cannot unmarshal array into Go value of type v1.DeleteOptions'],
    [
      { gracePeriodSeconds: 'soon' },
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [{ dryRun: ['Some'] }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [
      { propagationPolicy: 'Up' },
      'propagationPolicy: Unsupported value: "Up": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      { propagationPolicy: 'Orphan', orphanDependents: true },
      'orphanDependents and deletionPropagation cannot be both set',
    ],
  ])('refuse %j', (body, message) => {
    expect(() => deletionParameters(new URLSearchParams(), body)).toThrow(message);
  });
});

describe('healthAnswer', () => {
  it.each([
    ['/livez', 'ok'],
    ['/readyz/ping', 'ok'],
    ['/readyz?verbose', '[+]ping ok\n[+]log ok\n[+]etcd ok\nreadyz check passed\n'],
    ['/livez/unicorn', undefined],
    ['/version', undefined],
  ])('%s', (url, text) => {
    const { pathname, searchParams } = new URL(url, 'https://server');

    expect(healthAnswer(pathname, searchParams, true)?.text).toBe(text);
  });
});
