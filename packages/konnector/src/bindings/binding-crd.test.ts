import {
  annotations,
  apiServiceBindingCrd,
  clusterScopedAPIServiceBindingCrd,
  type CrdVersion,
  type CustomResourceDefinition,
} from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { bindingCrdOf, renewedBindingCrd } from './binding-crd.ts';

const [current] = apiServiceBindingCrd.spec.versions as [CrdVersion];
/** As an earlier version of the konnector made it: with another schema, and with whatever versions. */
function earlier(version: string, others: readonly CrdVersion[] = []): CustomResourceDefinition {
  const own = bindingCrdOf(version);
  const before = { ...current, storage: others.length === 0, schema: { openAPIV3Schema: { type: 'object' } } };
  return {
    ...own,
    metadata: { ...own.metadata, annotations: { ...own.metadata.annotations, [annotations.schema]: 'before' } },
    spec: { ...own.spec, versions: [before, ...others] },
  };
}

describe('the kind of bindings', () => {
  it('is brought to the schema of a newer konnector', () => {
    const renewed = renewedBindingCrd(earlier('1.2.3'), '1.3.0');

    expect(renewed?.spec.versions).toEqual([current]);
    expect(renewed?.metadata.annotations).toEqual(bindingCrdOf('1.3.0').metadata.annotations);
    expect(renewed && renewedBindingCrd(renewed, '1.3.0')).toBeUndefined();
  });

  it.each([
    ['1.2.3', '1.2.3', true],
    ['1.2.3', '1.10.0', true],
    ['v1.2.3', '2.0.0', true],
    ['1.2.3-rc.1', '1.2.3', true],
    ['1.2.3-rc.2', '1.2.3-rc.10', true],
    ['1.2.3', '1.2.3-rc.1', false],
    ['1.2.3-rc.2', '1.2.3-rc.1', false],
    ['1.10.0', '1.2.3', false],
    ['2.0.0', '1.99.99', false],
    ['someday', '1.2.3', false],
    ['1.2.3', 'dev', false],
  ])('that version %s made is changed by version %s: %s', (made, version, isChanged) => {
    expect(renewedBindingCrd(earlier(made), version) !== undefined).toBe(isChanged);
  });

  it('goes on to serve every version that it served', () => {
    const other = { ...current, name: 'v1', storage: true };

    expect(renewedBindingCrd(earlier('1.2.3', [other]), '1.3.0')?.spec.versions).toEqual([
      current,
      { ...other, storage: false },
    ]);
  });

  it('keeps what others put on it', () => {
    const crd = earlier('1.2.3');
    const theirs = { ...crd.metadata.annotations, 'example.org/theirs': 'yes' };
    const found = { ...crd, metadata: { ...crd.metadata, annotations: theirs, resourceVersion: '7' } };

    expect(renewedBindingCrd(found, '1.3.0')?.metadata).toMatchObject({
      annotations: { 'example.org/theirs': 'yes' },
      resourceVersion: '7',
    });
  });

  it('is left alone when another component made it', () => {
    const foreign = { ...earlier('1.2.3'), metadata: { ...apiServiceBindingCrd.metadata } };

    expect(renewedBindingCrd(foreign, '9.0.0')).toBeUndefined();
    expect(renewedBindingCrd(clusterScopedAPIServiceBindingCrd, '9.0.0')).toBeUndefined();
  });
});
