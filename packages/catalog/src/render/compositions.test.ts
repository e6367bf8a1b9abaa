import { describe, expect, it } from 'vitest';
import { smallCatalogue } from './catalogue.fixture.ts';
import type { ComposedTemplate } from './composed-template.ts';
import { type Composition, compositionsOf } from './compositions.ts';

const compositions = new Map(
  compositionsOf(smallCatalogue()).map((composition) => [composition.metadata.name, composition]),
);

function composition(name: string): Composition {
  const found = compositions.get(name);
  if (!found) throw new Error(`no Composition ${name}`);
  return found;
}

function template(name: string): ComposedTemplate {
  const [only, ...others] = composition(name).spec.pipeline[0].input.resources;
  expect(others).toEqual([]);
  if (!only) throw new Error('nothing is composed');
  return only;
}

/** Patches as `type from → to`, each with its transforms. */
function patchesOf(name: string): readonly (readonly [string, unknown])[] {
  return template(name).patches.map(({ type, fromFieldPath, toFieldPath, transforms }) => [
    `${type === 'ToCompositeFieldPath' ? 'status' : 'spec'}: ${fromFieldPath} → ${toFieldPath}`,
    transforms,
  ]);
}

describe('Compositions', () => {
  it('are one for each offer on each backend that has it', () => {
    expect([...compositions.keys()]).toEqual(['op-database', 'vendor-database', 'vendor-bucket', 'op-backup']);
  });

  it('are pipelines with one step of function-patch-and-transform, for the composite of their kind', () => {
    expect(composition('op-backup')).toEqual({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: { name: 'op-backup' },
      spec: {
        compositeTypeRef: { apiVersion: 'example.org/v1', kind: 'XBackup' },
        mode: 'Pipeline',
        pipeline: [
          {
            step: 'patch-and-transform',
            functionRef: { name: 'function-patch-and-transform' },
            input: {
              apiVersion: 'pt.fn.crossplane.io/v1beta1',
              kind: 'Resources',
              resources: [expect.objectContaining({ name: 'op-backup' })],
            },
          },
        ],
      },
    });
  });
});

describe('what is composed as a resource', () => {
  it('is the base, with the labels of the claim and what fields of the claim say', () => {
    expect(template('vendor-database').base).toEqual({
      apiVersion: 'vendor.example.org/v1',
      kind: 'Instance',
      spec: { size: 1 },
    });
    expect(patchesOf('vendor-database')).toEqual([
      [
        'spec: metadata.labels[crossplane.io/claim-namespace] → metadata.labels[crossplane.io/claim-namespace]',
        undefined,
      ],
      ['spec: metadata.labels[crossplane.io/claim-name] → metadata.labels[crossplane.io/claim-name]', undefined],
      ['spec: spec.plan → spec.forProvider.plan', undefined],
      ['spec: spec.parameters.logLevel → spec.forProvider.parameters.log-level', undefined],
      ['status: status.conditions → status.managed.conditions', undefined],
    ]);
  });
});

describe('what is composed through an Object', () => {
  it('is the manifest of an Object that is watched and ready when the manifest is', () => {
    expect(template('op-database').base).toEqual({
      apiVersion: 'kubernetes.crossplane.io/v1alpha2',
      kind: 'Object',
      spec: {
        forProvider: { manifest: { apiVersion: 'db.example.org/v1', kind: 'Db', spec: { expose: 'Internal' } } },
        providerConfigRef: { name: 'kubernetes-provider' },
        readiness: {
          policy: 'DeriveFromCelQuery',
          celQuery: "has(object.status) && object.status.state == 'Running'",
        },
        watch: true,
      },
    });
  });

  it('is ready by its own condition where nothing else is said', () => {
    expect(template('op-backup').base).toMatchObject({ spec: { readiness: { policy: 'DeriveFromObject' } } });
  });

  it('has the name and namespace of the claim, and all paths lead into the manifest', () => {
    expect(patchesOf('op-database')).toEqual([
      [
        'spec: metadata.labels[crossplane.io/claim-namespace] → spec.forProvider.manifest.metadata.namespace',
        undefined,
      ],
      ['spec: metadata.labels[crossplane.io/claim-name] → spec.forProvider.manifest.metadata.name', undefined],
      [
        'spec: spec.plan → spec.forProvider.manifest.spec.memory',
        [{ type: 'map', map: { old: '1Gi', nano: '1Gi', big: '8Gi' } }],
      ],
      ['spec: spec.expose → spec.forProvider.manifest.spec.expose', undefined],
      [
        'spec: spec.parameters.logLevel → spec.forProvider.manifest.spec.parameters.log.level',
        [{ type: 'string', string: { type: 'Convert', convert: 'ToLower' } }],
      ],
      ['spec: spec.parameters.ciphers → spec.forProvider.manifest.spec.parameters.ciphers', undefined],
      ['status: status.atProvider.manifest.status.state → status.managed.state', undefined],
    ]);
  });
});
