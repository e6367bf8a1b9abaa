import { annotations, bindingOwnerReference, type CustomResourceDefinition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { type Decision, decide, type Seen } from './decide.ts';
import { apiDigest } from './exported-api.ts';
import { keptMark } from './kept-api.ts';
import { apiName, sampleBinding, sampleExport, sampleVersion, servedCrd } from './schema.fixture.ts';

const tenant = 'tenant/tenant-uid';
const home = 'app-uid';
const looking = (seen: Partial<Seen>): Decision =>
  decide({
    binding: sampleBinding(),
    apiExport: sampleExport(),
    crd: undefined,
    ownerIsGone: false,
    tenant,
    home,
    ...seen,
  });

const digestOf = (apiExport = sampleExport()) => apiDigest(apiExport.spec);
const marks = (digest = digestOf()) => ({
  [annotations.tenant]: tenant,
  [annotations.boundIn]: `${home}/klutch-bind`,
  [annotations.schema]: digest,
});
/** A CRD with which all is well. */
const settledCrd = (more: Readonly<Record<string, string>> = {}) =>
  servedCrd(sampleExport(), { annotations: { ...marks(), 'example.org/theirs': 'yes', ...more } });

/** The same while a change of its export is held back. */
const heldCrd = () => settledCrd({ [annotations.keptSchema]: keptMark(servedCrd().spec) ?? '' });

const smaller = sampleExport({
  versions: [
    sampleVersion({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } } }),
  ],
});
const larger = sampleExport({
  versions: [
    sampleVersion({
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { size: { type: 'integer' }, plan: { type: 'string' }, colour: { type: 'string' } },
            },
          },
        },
      },
    }),
  ],
});
const withDefault = sampleExport({
  versions: [
    sampleVersion({
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { size: { type: 'integer', default: 1 }, plan: { type: 'string' } },
            },
          },
        },
      },
    }),
  ],
});

describe('a binding without CRD', () => {
  it('gets one that is its own', () => {
    const { write, api } = looking({});

    expect(write?.type).toBe('create');
    expect(write?.crd.metadata).toEqual({
      name: apiName,
      annotations: marks(),
      ownerReferences: [bindingOwnerReference(sampleBinding())],
    });
    expect(write?.crd.spec.versions).toEqual(sampleExport().spec.versions);
    expect(api).toBeUndefined();
  });

  it.each([
    ['Remove', 'Remove'],
    ['Nonsense', undefined],
  ])('hands on what it says about unbinding: %s', (said, marked) => {
    const { write, conditions } = looking({
      binding: sampleBinding({ annotations: { [annotations.onUnbind]: said } }),
    });

    expect(write?.crd.metadata.annotations?.[annotations.onUnbind]).toBe(marked);
    expect(conditions.Connected.message?.includes('must be Keep, Remove or Delete') ?? false).toBe(
      marked === undefined,
    );
  });

  it('says that there is no export', () => {
    const { write, conditions, api } = looking({ apiExport: undefined });

    expect(write).toBeUndefined();
    expect(conditions).toMatchObject({
      Connected: { status: 'False', severity: 'Error', reason: 'APIServiceExportNotFound' },
      SchemaInSync: null,
      SchemaCompatible: null,
    });
    expect(api).toBeUndefined();
  });

  it('says that the export is none', () => {
    const { write, conditions } = looking({
      apiExport: sampleExport({ versions: [sampleVersion({ storage: false })] }),
    });

    expect(write).toBeUndefined();
    expect(conditions.Connected).toMatchObject({ status: 'False', reason: 'APIServiceExportInvalid' });
  });
});

describe('a CRD that is in step', () => {
  it('is left as it is, and its API is offered', () => {
    const { write, conditions, api } = looking({ crd: settledCrd() });

    expect(write).toBeUndefined();
    expect(conditions).toEqual({
      Connected: { type: 'Connected', status: 'True' },
      SchemaInSync: { type: 'SchemaInSync', status: 'True' },
      SchemaCompatible: { type: 'SchemaCompatible', status: 'True' },
    });
    expect(api?.name).toBe(apiName);
  });

  it('is not offered before it is served', () => {
    const crd: CustomResourceDefinition = { ...settledCrd(), status: {} };

    const { write, conditions, api } = looking({ crd });

    expect(write).toBeUndefined();
    expect(conditions.SchemaInSync).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'CustomResourceDefinitionNotEstablished',
    });
    expect(api).toBeUndefined();
  });

  it('counts as in step when the app cluster dropped a keyword it does not know', () => {
    const strange = sampleExport({
      versions: [sampleVersion({ schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-new': true } } })],
    });
    const kept = sampleExport({ versions: [sampleVersion({ schema: { openAPIV3Schema: { type: 'object' } } })] });
    const crd = servedCrd(kept, { annotations: marks(digestOf(strange)) });
    const seen = { crd, apiExport: strange };

    expect(looking(seen).write?.type).toBe('replace');
    expect(looking({ ...seen, settled: { wanted: digestOf(strange), got: digestOf(kept) } }).write).toBeUndefined();
  });

  it('is marked anew when the binding changes its mind about unbinding', () => {
    const crd = settledCrd({ [annotations.onUnbind]: 'Remove' });

    const { write } = looking({ crd });

    expect(write?.crd).toEqual({
      ...crd,
      metadata: { ...crd.metadata, annotations: settledCrd().metadata.annotations },
    });
  });

  it('gets its marks when a Go konnector made it', () => {
    const { write, api } = looking({ crd: servedCrd() });

    expect(write?.crd).toEqual(servedCrd(sampleExport(), { annotations: marks() }));
    expect(api).toBeDefined();
  });

  it('stays offered when its export goes, and says so', () => {
    const { write, conditions, api } = looking({ crd: settledCrd(), apiExport: undefined });

    expect(write).toBeUndefined();
    expect(conditions.Connected.reason).toBe('APIServiceExportNotFound');
    expect(api?.name).toBe(apiName);
  });

  it('stays offered while it is deleted, so that its objects can be let go', () => {
    const crd = settledCrd();

    const { write, conditions, api } = looking({
      crd: { ...crd, metadata: { ...crd.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
    });

    expect(write).toBeUndefined();
    expect(conditions.SchemaInSync).toMatchObject({ status: 'False', severity: 'Warning' });
    expect(api).toBeDefined();
  });
});

describe('a change of the export', () => {
  it('is taken over when it is compatible', () => {
    const { write, conditions, api } = looking({ crd: settledCrd(), apiExport: larger });

    expect(write?.crd.spec).toEqual({ ...settledCrd().spec, names: larger.spec.names, versions: larger.spec.versions });
    expect(write?.crd.metadata.annotations).toEqual({ ...marks(digestOf(larger)), 'example.org/theirs': 'yes' });
    expect(conditions.SchemaCompatible).toEqual({ type: 'SchemaCompatible', status: 'True' });
    expect(api).toBeDefined();
  });

  it('is taken over and told of when it needs care', () => {
    const { write, conditions } = looking({ crd: settledCrd(), apiExport: withDefault });

    expect(write?.type).toBe('replace');
    expect(conditions.SchemaCompatible).toMatchObject({ status: 'True', reason: 'SchemaChangeNeedsCare' });
    expect(conditions.SchemaCompatible?.message).toContain('v1 .spec.size has the new default 1');
  });

  it('is told of for as long as its schema is in use', () => {
    const said = looking({ crd: settledCrd(), apiExport: withDefault }).conditions.SchemaCompatible ?? undefined;
    const crd = servedCrd(withDefault, { annotations: marks(digestOf(withDefault)) });
    const binding = {
      ...sampleBinding(),
      status: { conditions: said ? [{ ...said, lastTransitionTime: '2026-01-01T00:00:00Z' }] : [] },
    };

    expect(looking({ crd, apiExport: withDefault, said }).conditions.SchemaCompatible).toEqual(said);
    expect(looking({ crd, apiExport: withDefault, binding }).conditions.SchemaCompatible).toMatchObject({ ...said });
    expect(looking({ crd, apiExport: larger, said }).conditions.SchemaCompatible).not.toEqual(said);
  });

  it('is held back when it is breaking, while the old schema stays in use', () => {
    const { write, conditions, api } = looking({ crd: heldCrd(), apiExport: smaller });

    expect(write).toBeUndefined();
    expect(conditions.Connected.status).toBe('True');
    expect(conditions.SchemaInSync).toMatchObject({
      status: 'False',
      severity: 'Warning',
      reason: 'BreakingSchemaChange',
    });
    expect(conditions.SchemaCompatible).toMatchObject({ status: 'False', severity: 'Warning' });
    expect(conditions.SchemaCompatible?.message).toContain('v1 .spec.size is removed');
    expect(conditions.SchemaCompatible?.message).toContain(`${annotations.acceptSchema}: ${digestOf(smaller)}`);
    expect(api).toBeDefined();
  });

  it.each([
    ['this change was accepted', digestOf(smaller), 'replace'],
    ['another one was accepted', digestOf(larger), undefined],
  ])('is held back no longer only when %s', (_, accepted, type) => {
    const binding = sampleBinding({ annotations: { [annotations.acceptSchema]: accepted } });

    expect(looking({ crd: heldCrd(), apiExport: smaller, binding }).write?.type).toBe(type);
  });

  it('KON-12 lets the CRD remember what it serves while a change is held back, and forget it afterwards', () => {
    const held = looking({ crd: settledCrd(), apiExport: smaller }).write?.crd;
    expect(held).toEqual(heldCrd());

    const binding = sampleBinding({ annotations: { [annotations.acceptSchema]: digestOf(smaller) } });
    for (const [seen, spec] of [
      [{ apiExport: smaller, binding }, servedCrd(smaller).spec],
      [{ apiExport: larger }, servedCrd(larger).spec],
      [{ apiExport: sampleExport() }, servedCrd().spec],
    ] as const) {
      const { write } = looking({ crd: held, ...seen });
      expect(apiDigest(write?.crd.spec ?? servedCrd().spec)).toBe(apiDigest(spec));
      expect(write?.crd.metadata.annotations).not.toHaveProperty([annotations.keptSchema]);
    }
  });

  it.each([
    ['adds something', larger],
    ['removes something', smaller],
    [
      'removes something else',
      sampleExport({ versions: [sampleVersion(), sampleVersion({ name: 'v0', storage: false })] }),
    ],
  ])('KON-12 undoes an edit that %s while a change is held back', (_, edited) => {
    const crd = { ...heldCrd(), spec: servedCrd(edited).spec };

    const { write, conditions } = looking({ crd, apiExport: smaller });

    expect(write?.crd).toEqual(heldCrd());
    expect(conditions.SchemaInSync?.reason).toBe('BreakingSchemaChange');
  });

  it('does not bring back what a CRD remembers that is taken over from somebody else', () => {
    const released = { ...heldCrd().metadata.annotations, [annotations.released]: tenant };
    const crd = servedCrd(larger, { ownerReferences: [], annotations: released });

    expect(looking({ crd, apiExport: larger }).write?.crd.spec).toEqual(servedCrd(larger).spec);
  });

  it('is held back on a CRD of which nobody knows to what it was brought', () => {
    const { write, conditions } = looking({ crd: servedCrd(), apiExport: smaller });

    expect(conditions.SchemaInSync?.reason).toBe('BreakingSchemaChange');
    expect(write?.crd.spec).toEqual(servedCrd().spec);
    expect(write?.crd.metadata.annotations).not.toHaveProperty([annotations.schema]);
  });

  it('leaves nothing to synchronise when the sides have no version in common', () => {
    const renamed = sampleExport({ versions: [sampleVersion({ name: 'v2' })] });

    const { conditions, api } = looking({ crd: settledCrd(), apiExport: renamed });

    expect(api).toBeUndefined();
    expect(conditions.Connected).toMatchObject({ status: 'False', severity: 'Error' });
    expect(conditions.SchemaCompatible?.reason).toBe('BreakingSchemaChange');
  });
});

describe('an edit by somebody else', () => {
  it.each([
    ['a removed field', smaller],
    ['an added field', larger],
  ])('is undone without asking: %s', (_, edited) => {
    const crd = servedCrd(edited, { annotations: marks() });

    const { write, conditions } = looking({ crd });

    expect(write?.crd.spec.versions).toEqual(sampleExport().spec.versions);
    expect(conditions.SchemaCompatible?.status).toBe('True');
  });
});

describe('a CRD that was not made for the binding', () => {
  const stale = { ...bindingOwnerReference(sampleBinding()), uid: 'former-uid' };

  it('is left alone, and so are its objects', () => {
    const { write, conditions, api } = looking({ crd: servedCrd(sampleExport(), { ownerReferences: [] }) });

    expect(write).toBeUndefined();
    expect(api).toBeUndefined();
    expect(conditions).toMatchObject({
      Connected: { status: 'False', severity: 'Error', reason: 'ForeignCustomResourceDefinition' },
      SchemaInSync: null,
      SchemaCompatible: null,
    });
    expect(conditions.Connected.message).toContain(`${annotations.released}: ${tenant}`);
  });

  it('is taken over when its binding is gone', () => {
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x' };
    const crd = servedCrd(sampleExport(), { ownerReferences: [theirs, stale] });

    expect(looking({ crd }).write).toBeUndefined();
    const { write, api } = looking({ crd, ownerIsGone: true });

    expect(write?.crd.metadata.ownerReferences).toEqual([theirs, bindingOwnerReference(sampleBinding())]);
    // The API is offered once the CRD is written.
    expect(api).toBeUndefined();
  });

  it('is taken over when the tenant released it', () => {
    const crd = servedCrd(sampleExport(), { ownerReferences: [], annotations: { [annotations.released]: tenant } });

    expect(looking({ crd }).write?.crd.metadata).toMatchObject({
      annotations: marks(),
      ownerReferences: [bindingOwnerReference(sampleBinding())],
    });
  });

  it('is taken over with the schema it has when the new one would be breaking', () => {
    const crd = servedCrd(sampleExport(), { ownerReferences: [stale], annotations: marks() });

    const { write, conditions } = looking({ crd, ownerIsGone: true, apiExport: smaller });

    expect(write?.crd.spec).toEqual(crd.spec);
    expect(conditions.SchemaInSync?.reason).toBe('BreakingSchemaChange');
  });
});

describe('no further write', () => {
  it.each<[string, Partial<Seen>]>([
    ['a creation', {}],
    ['a compatible change', { crd: settledCrd(), apiExport: larger }],
    ['a change that needs care', { crd: settledCrd(), apiExport: withDefault }],
    ['a held change', { crd: settledCrd(), apiExport: smaller }],
    [
      'an undone edit while a change is held',
      { crd: { ...heldCrd(), spec: servedCrd(larger).spec }, apiExport: smaller },
    ],
    ['a held change on a CRD without marks', { crd: servedCrd(), apiExport: smaller }],
    ['an undone edit', { crd: servedCrd(larger, { annotations: marks() }) }],
    [
      'a takeover',
      { crd: servedCrd(sampleExport(), { ownerReferences: [], annotations: { [annotations.released]: tenant } }) },
    ],
  ])('follows %s', (_, seen) => {
    const { write } = looking(seen);

    expect(write).toBeDefined();
    expect(looking({ ...seen, crd: write?.crd }).write).toBeUndefined();
  });
});
