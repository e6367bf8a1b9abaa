import { describe, expect, it } from 'vitest';

import { builtInResetFields } from './built-in-reset-fields.ts';
import { pathsOf } from './sample-kind.ts';
import { blankObject, customResourceResetFields } from './scope.ts';

const versions = ['example.org/v1', 'example.org/v2'];
const shown = (reset: ReturnType<typeof customResourceResetFields>) =>
  [...reset].map(([version, set]) => [version, pathsOf(set)]);

describe('customResourceResetFields', () => {
  it('keeps the status from the object’s endpoint, in its own version', () => {
    expect(shown(customResourceResetFields('example.org/v1', undefined, versions))).toEqual([
      ['example.org/v1', ['.status']],
    ]);
  });

  it('keeps nothing from it when the status is no subresource', () => {
    expect(shown(customResourceResetFields('example.org/v1', undefined, ['example.org/v2']))).toEqual([]);
  });

  it('keeps the spec from the status endpoint, in all versions that have one', () => {
    expect(shown(customResourceResetFields('example.org/v1', 'status', versions))).toEqual([
      ['example.org/v1', ['.spec']],
      ['example.org/v2', ['.spec']],
    ]);
  });
});

describe('builtInResetFields', () => {
  it.each([
    ['Deployment', undefined, ['.status']],
    ['Deployment', 'status', ['.spec', '.metadata.labels']],
    ['StatefulSet', 'status', ['.spec']],
    ['CustomResourceDefinition', 'status', ['.metadata', '.spec']],
    ['Namespace', 'finalize', ['.status']],
  ])('of %s through %s are %j', (kind, subresource, paths) => {
    expect(pathsOf(builtInResetFields(kind, true, subresource) ?? new Map())).toEqual(paths);
  });

  it('are none where there is no status', () => {
    expect(builtInResetFields('ConfigMap', false, undefined)).toBeUndefined();
  });
});

describe('blankObject', () => {
  it('says what it is, and has what its kind always has', () => {
    const scope = { apiVersion: 'v1', kind: 'Thing', types: new Map() };
    expect(blankObject(scope)).toEqual({ apiVersion: 'v1', kind: 'Thing' });
    const builtIn = { blank: { metadata: {}, spec: {} } };
    expect(blankObject({ ...scope, builtIn })).toEqual({ apiVersion: 'v1', kind: 'Thing', metadata: {}, spec: {} });
  });
});
