import { type APIServiceExport, type APIServiceExportRequest, apiVersion, type Condition } from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterRefusal, type Decision, decide, type Seen, type SeenApi } from './decide.ts';

describe('a request for offered APIs', () => {
  it('gets its exports, then its answer', () => {
    const decision = decide(seen([offered('a'), offered('b')]));

    expect(decision.create.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(decision.status).toMatchObject({ phase: 'Succeeded' });
    expect(statesOf(decision)).toEqual(['Ready True', 'ExportsReady True']);
    expect(decision.againMs).toBe(600_000);
  });

  it('gets only those exports that are not there', () => {
    const decision = decide(seen([{ ...offered('a'), existing: 'there' }, offered('b')]));

    expect(decision.create.map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(decision.status?.phase).toBe('Succeeded');
  });

  it('waits until an earlier export is gone', () => {
    const decision = decide(seen([{ ...offered('a'), existing: 'ending' }, offered('b')]));

    expect(decision.create).toEqual([]);
    expect(decision.status).not.toHaveProperty('phase');
    expect(reasonOf(decision)).toBe('ExportEnding');
    expect(decision.againMs).toBe(10_000);
  });
});

describe('a request for an API that is refused', () => {
  it.each([
    ['NotExported', 'is not exported by this control plane'],
    ['NotEntitled', 'is not offered to this tenant'],
    ['ScopeRefused', 'is cluster-scoped'],
  ] as const)('fails at once with %s, and exports nothing else', (refusal, message) => {
    const decision = decide(seen([offered('a'), refused('b', refusal)]));

    expect(decision.create).toEqual([]);
    expect(decision.status).toMatchObject({
      phase: 'Failed',
      terminalMessage: expect.stringContaining(`b ${message}`),
    });
    expect(reasonOf(decision)).toBe(refusal);
  });

  it('fails at once when the CRD cannot be exported', () => {
    const decision = decide(seen([{ name: 'a', outcome: { is: 'invalid', problem: 'no version is served' } }]));

    expect(decision.status).toMatchObject({ phase: 'Failed', terminalMessage: 'no version is served' });
    expect(reasonOf(decision)).toBe('CRDInvalid');
  });

  it('is not refused before all caches had the time to know what the login knew', () => {
    const young = seen([refused('a', 'NotEntitled')], { at: 500 });

    expect(decide(young)).toEqual({ create: [], againMs: 1_500 });
  });

  it('is refused at once when the clock of the server is ahead of ours', () => {
    expect(decide(seen([refused('a', 'NotEntitled')], { at: -60_000 })).status?.phase).toBe('Failed');
  });

  it('is refused although a CRD is missing, too: waiting could change nothing', () => {
    const decision = decide(seen([refused('a', 'CRDNotFound'), refused('b', 'NotEntitled')]));

    expect(reasonOf(decision)).toBe('NotEntitled');
  });
});

describe('a request for an API whose CRD is missing', () => {
  it('waits and says for what', () => {
    const decision = decide(seen([refused('a', 'CRDNotFound'), refused('b', 'CRDNotFound'), offered('c')]));

    expect(decision.create).toEqual([]);
    expect(decision.status).not.toHaveProperty('phase');
    expect(messageOf(decision)).toContain('CustomResourceDefinitions a, b do not exist on the control plane');
    expect(decision.againMs).toBe(10_000);
  });

  it('looks again in time to fail after a minute', () => {
    expect(decide(seen([refused('a', 'CRDNotFound')], { at: 57_000 })).againMs).toBe(3_000);
    expect(decide(seen([refused('a', 'CRDNotFound')], { at: 60_000 })).status).toMatchObject({
      phase: 'Failed',
      terminalMessage: expect.stringContaining('CustomResourceDefinition a does not exist'),
    });
  });

  it('does not say the same twice', () => {
    const first = decide(seen([refused('a', 'CRDNotFound')], { at: 5_000 }));
    const second = seen([refused('a', 'CRDNotFound')], { at: 15_000, conditions: first.status?.conditions });

    expect(decide(second)).toEqual({ create: [], againMs: 10_000 });
  });

  it('fails in time also when the clock of the server is ahead of ours', () => {
    const first = decide(seen([refused('a', 'CRDNotFound')], { at: -3_600_000 }));
    const later = { at: -3_600_000 + 60_000, conditions: first.status?.conditions };

    expect(decide(seen([refused('a', 'CRDNotFound')], later)).status?.phase).toBe('Failed');
  });
});

describe('a request whose export the server refuses', () => {
  it('fails when that is for good', () => {
    const decision = afterRefusal(seen([offered('a')]), 'a', 'spec is invalid', true);

    expect(decision.status).toMatchObject({
      phase: 'Failed',
      terminalMessage: 'The export of a was refused: spec is invalid',
    });
  });

  it('waits when it may change, for a minute', () => {
    expect(reasonOf(afterRefusal(seen([offered('a')]), 'a', 'forbidden', false))).toBe('ExportNotWritten');
    expect(afterRefusal(seen([offered('a')], { at: 60_000 }), 'a', 'forbidden', false).status?.phase).toBe('Failed');
  });
});

describe('a request that is decided', () => {
  const finished: readonly Condition[] = [{ type: 'ExportsReady', status: 'True', lastTransitionTime: time(30_000) }];

  it.each(['Succeeded', 'Failed'] as const)('stays for ten minutes after it %s, then goes', (phase) => {
    expect(decide(seen([], { at: 600_000, phase, conditions: finished }))).toEqual({ create: [], againMs: 30_000 });
    expect(decide(seen([], { at: 630_000, phase, conditions: finished }))).toEqual({ create: [], remove: true });
  });

  it('goes ten minutes after it was made when nobody noted more', () => {
    expect(decide(seen([], { at: 600_000, phase: 'Failed' }))).toEqual({ create: [], remove: true });
  });

  it('that is being deleted needs nothing more', () => {
    const ending = seen([offered('a')], { deletionTimestamp: time(0) });

    expect(decide(ending)).toEqual({ create: [] });
  });
});

it('never exports anything of a request in which anything is refused, and always looks again or has an end', () => {
  const anyApi = fc.oneof(
    fc
      .constantFrom('NotExported', 'NotEntitled', 'ScopeRefused', 'CRDNotFound')
      .map((refusal) => refused('x', refusal)),
    fc.constantFrom(undefined, 'there' as const, 'ending' as const).map((existing) => ({
      ...offered('y'),
      ...(existing ? { existing } : {}),
    })),
  );
  fc.assert(
    fc.property(fc.array(anyApi, { minLength: 1 }), fc.integer({ min: -100_000, max: 700_000 }), (apis, at) => {
      const decision = decide(seen(apis, { at }));
      if (apis.some(({ outcome }) => outcome.is === 'refused')) expect(decision.create).toEqual([]);
      expect(decision.remove === true || (decision.againMs ?? 0) > 0).toBe(true);
    }),
  );
});

const start = Date.parse('2026-01-01T00:00:00Z');

function time(ms: number): string {
  return new Date(start + ms).toISOString().replace('.000Z', 'Z');
}

interface World {
  /** Milliseconds since the request was made. */
  readonly at?: number;
  readonly phase?: 'Pending' | 'Succeeded' | 'Failed';
  readonly conditions?: readonly Condition[];
  readonly deletionTimestamp?: string;
}

function seen(apis: readonly SeenApi[], { at = 5_000, phase = 'Pending', conditions, ...metadata }: World = {}): Seen {
  const request: APIServiceExportRequest = {
    apiVersion,
    kind: 'APIServiceExportRequest',
    metadata: { name: 'r', namespace: 'cluster-a', creationTimestamp: time(0), ...metadata },
    spec: { resources: [] },
    status: { phase, ...(conditions ? { conditions } : {}) },
  };
  return { request, apis, now: new Date(start + at) };
}

function offered(name: string): SeenApi {
  const wanted = { metadata: { name } } as APIServiceExport;
  return { name, outcome: { is: 'offered', wanted } };
}

function refused(name: string, refusal: 'NotExported' | 'NotEntitled' | 'ScopeRefused' | 'CRDNotFound'): SeenApi {
  return { name, outcome: { is: 'refused', refusal } };
}

function statesOf({ status }: Decision): readonly string[] | undefined {
  return status?.conditions?.map((condition) => `${condition.type} ${condition.status}`);
}

function reasonOf({ status }: Decision): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'ExportsReady')?.reason;
}

function messageOf({ status }: Decision): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.message;
}
