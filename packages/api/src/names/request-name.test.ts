import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alternativeExportRequestMetadata, derivedExportRequestName, exportRequestMetadata } from './request-name.ts';

describe('the name of an export request', () => {
  it('is the one it came with', () => {
    expect(exportRequestMetadata('widgets.example.org')).toEqual({ name: 'widgets.example.org' });
  });

  it.each([undefined, ''])('is generated when it came with %j', (name) => {
    expect(exportRequestMetadata(name)).toEqual({ generateName: 'export-' });
  });

  it('gets a suffix when the name is taken', () => {
    expect(alternativeExportRequestMetadata('widgets.example.org')).toEqual({ generateName: 'widgets.example.org-' });
  });
});

describe('the name of a request derived from an AppClusterBinding', () => {
  it.each([
    ['prod', 'servicebindings', 'appclusterbinding-prod-servicebindings-f3d49c0a'],
    ['Prod_EU..1', 'servicebindings', 'appclusterbinding-prod-eu-1-servicebindings-f3d49c0a'],
    ['-.prod.-', 'servicebindings', 'appclusterbinding-prod-servicebindings-f3d49c0a'],
    ['...', 'servicebindings', 'appclusterbinding-servicebindings-f3d49c0a'],
  ])('for binding %j and template %j is %s', (binding, template, name) => {
    expect(derivedExportRequestName(binding, template)).toBe(name);
  });

  it('takes at most 24 characters of each part', () => {
    const name = derivedExportRequestName('a', 'b'.repeat(40));

    expect(name).toMatch(/^appclusterbinding-a-b{24}-[0-9a-f]{8}$/);
  });

  it('keeps the digest whole when both parts are long', () => {
    const names = ['x', 'y'].map((end) => derivedExportRequestName('a'.repeat(40), `${'b'.repeat(40)}${end}`));

    expect(names[0]).toMatch(/^appclusterbinding-a{24}-b{11}-[0-9a-f]{8}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  it('is always a name that Kubernetes accepts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (binding, template) => {
        const name = derivedExportRequestName(binding, template);

        expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        expect(name.length).toBeLessThanOrEqual(63);
      }),
    );
  });
});
