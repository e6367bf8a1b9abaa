import {
  type APIServiceExport,
  annotations,
  apiVersion,
  type Condition,
  type ExportedApi,
  type PermissionClaim,
  sourceSpecHash,
} from '@klutch/api';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Offer, Refusal } from '../templates/catalogue.ts';
import { afterRefusal, type Decision, decide, type ExportPatch, type Seen } from './decide.ts';

describe('an export', () => {
  it('is left alone when it says what its CRD and its template say', () => {
    expect(decide(seen())).toEqual({ is: 'kept' });
  });

  it('goes when its CRD is not there', () => {
    expect(decide(seen({ source: undefined }))).toEqual({ is: 'gone' });
  });

  it('that is being deleted is left to its end', () => {
    const ending = exported(api(), { deletionTimestamp: '2026-01-01T00:00:00Z' });

    expect(decide(seen({ export: ending, source: undefined }))).toEqual({ is: 'kept' });
  });

  it('follows a new version, with the digest', () => {
    const grown = api({ versions: [...api().versions, version('v2')] });

    expect(patchOf(decide(seen({ source: sourceOf(grown) })))).toEqual({
      metadata: { annotations: { [annotations.sourceSpecHash]: sourceSpecHash(grown) } },
      spec: { ...grown },
    });
  });

  it('loses names that the CRD has lost, which a merge alone would keep', () => {
    const before = api({ names: { plural: 'widgets', kind: 'Widget', shortNames: ['w'] } });

    const patch = patchOf(decide(seen({ export: exported(before) })));

    expect(patch?.spec).toMatchObject({ names: { plural: 'widgets', kind: 'Widget', shortNames: null } });
  });

  it('is put right after an edit by hand, although its digest still fits', () => {
    const bent = exported(api());
    const edited = { ...bent, spec: { ...bent.spec, names: { plural: 'widgets', kind: 'Bent' } } };

    expect(patchOf(decide(seen({ export: edited })))?.spec).toMatchObject({ names: { kind: 'Widget' } });
  });

  it('tells what its CRD tells about the service, and no more when that tells nothing', () => {
    const told = { ...sourceOf(api()), description: '{"displayName":"Widgets"}' };
    const first = decide(seen({ source: told }));
    const telling = applied(exported(api()), first);

    expect(patchOf(first)).toEqual({
      metadata: { annotations: { [annotations.serviceDescription]: told.description } },
      spec: {},
    });
    expect(decide(seen({ export: telling, source: told }))).toEqual({ is: 'kept' });
    expect(applied(telling, decide(seen({ export: telling })))).toEqual(exported(api()));
  });

  it('gets its digest back without touching the rest', () => {
    const unmarked = exported(api(), { annotations: {} });

    expect(patchOf(decide(seen({ export: unmarked })))?.spec).toEqual({});
  });

  it('says why its CRD cannot be exported, and stays as it is', () => {
    const decision = decide(seen({ source: { problem: 'no version is served' } }));

    expect(decision).not.toHaveProperty('patch');
    expect(conditionOf(decision)).toMatchObject({
      status: 'False',
      severity: 'Error',
      reason: 'CustomResourceDefinitionUpdateFailed',
      message: 'no version is served',
    });
  });

  it('says what to do when the server refuses the change', () => {
    const conditions = afterRefusal(seen(), 'The export cannot follow its CRD: too long');

    expect(conditions?.[0]).toMatchObject({ reason: 'CustomResourceDefinitionUpdateFailed', status: 'False' });
  });

  it('keeps what others say about it', () => {
    const connected: Condition = { type: 'Connected', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const decision = decide(seen({ export: exported(api(), {}, [connected]) }));

    expect(decision).toMatchObject({ conditions: [connected, { type: 'ProviderInSync', status: 'True' }] });
  });
});

describe('the scope of an export', () => {
  it('cannot become the cluster when watches are per namespace', () => {
    const decision = decide(seen({ source: sourceOf(api({ scope: 'Cluster' })) }));

    expect(decision).not.toHaveProperty('patch');
    expect(conditionOf(decision)?.message).toContain('Delete this export and bind the API again');
  });

  it.each([
    ['Namespaced', 'Cluster', 'Prefixed'],
    ['Cluster', 'Namespaced', null],
  ] as const)('changes from %s to %s with isolation %s', (from, to, clusterScopedIsolation) => {
    const before = exported(api({ scope: from }), {}, inSync, { informerScope: 'Cluster' });

    const patch = patchOf(decide(seen({ export: before, source: sourceOf(api({ scope: to })) })));

    expect(patch?.spec).toMatchObject({ scope: to, clusterScopedIsolation });
  });

  it('leaves the isolation that was chosen first', () => {
    const spec = { informerScope: 'Cluster', clusterScopedIsolation: 'None' } as const;
    const before = exported(api({ scope: 'Cluster' }), {}, inSync, spec);
    const grown = api({ scope: 'Cluster', versions: [...api().versions, version('v2')] });

    const patch = patchOf(decide(seen({ export: before, source: sourceOf(grown) })));

    expect(patch?.spec).not.toHaveProperty('clusterScopedIsolation');
  });
});

describe('the claims of an export', () => {
  it('follow the template', () => {
    const verdict = offer([secrets, configMaps]);

    expect(patchOf(decide(seen({ verdict })))?.spec).toEqual({ permissionClaims: [secrets, configMaps] });
  });

  it('go when the template has none', () => {
    expect(patchOf(decide(seen({ verdict: offer([]) })))?.spec).toEqual({ permissionClaims: null });
  });

  it('are the same with and without what a server fills in', () => {
    const filled: PermissionClaim = {
      ...secrets,
      selector: { names: ['*'], namespaces: ['*'] },
      read: {},
      onConflict: { recreateWhenConsumerSideDeleted: true },
    };
    const { group: _, ...bare } = secrets;

    expect(decide(seen({ verdict: offer([filled]) }))).toEqual({ is: 'kept' });
    expect(decide(seen({ verdict: offer([bare]) }))).toEqual({ is: 'kept' });
  });

  it.each<Refusal>(['NotExported', 'NotEntitled', 'ScopeRefused'])(
    'stay when the API is no longer offered (%s), and the schema is still followed',
    (refusal) => {
      const grown = api({ versions: [...api().versions, version('v2')] });
      const decision = decide(seen({ verdict: refusal, withdrawal: refusal, source: sourceOf(grown) }));

      expect(patchOf(decision)?.spec).toEqual({ ...grown });
      expect(conditionOf(decision)).toMatchObject({
        status: 'False',
        severity: 'Error',
        reason: 'EntitlementWithdrawn',
      });
      expect(conditionOf(decision)?.message).toContain('Offer widgets.example.org to the tenant again');
    },
  );

  it('and the condition stay as they are while it is not certain that the API is no longer offered', () => {
    expect(decide(seen({ verdict: 'NotExported' }))).toEqual({ is: 'kept' });
  });
});

it('what is decided once and carried out leaves nothing more to decide', () => {
  const anyApi = fc.record({
    names: fc.record(
      { plural: fc.constant('widgets'), kind: fc.constantFrom('Widget', 'Thing'), shortNames: fc.constant(['w']) },
      { requiredKeys: ['plural', 'kind'] },
    ),
    versions: fc.constantFrom([version('v1')], [version('v1'), version('v2')]),
  });
  const anyClaims = fc.subarray([secrets, configMaps]);
  fc.assert(
    fc.property(anyApi, anyApi, anyClaims, anyClaims, fc.boolean(), (was, is, had, has, isWithdrawn) => {
      const before = exported(api(was), {}, [], { permissionClaims: had });
      const refusal = isWithdrawn ? ('NotExported' as const) : undefined;
      const world = { source: sourceOf(api(is)), verdict: refusal ?? offer(has), withdrawal: refusal };
      const after = applied(before, decide(seen({ ...world, export: before })));
      expect(decide(seen({ ...world, export: after }))).toEqual({ is: 'kept' });
    }),
  );
});

const now = new Date('2026-01-01T00:00:00Z');
const secrets: PermissionClaim = { group: '', resource: 'secrets', version: 'v1' };
const configMaps: PermissionClaim = { group: '', resource: 'configmaps', version: 'v1' };
const inSync: readonly Condition[] = [
  { type: 'ProviderInSync', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
];

function seen(fields: Partial<Seen> = {}): Seen {
  return {
    export: exported(api()),
    source: sourceOf(api()),
    verdict: offer([secrets]),
    withdrawal: undefined,
    isolation: 'Prefixed',
    now,
    ...fields,
  };
}

function version(name: string): ExportedApi['versions'][number] {
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object' } } };
}

function api(fields: Partial<ExportedApi> = {}): ExportedApi {
  return {
    group: 'example.org',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [version('v1')],
    ...fields,
  };
}

function sourceOf(of: ExportedApi): { api: ExportedApi; hash: string } {
  return { api: of, hash: sourceSpecHash(of) };
}

function offer(permissionClaims: readonly PermissionClaim[]): Offer {
  return { name: 'widgets.example.org', group: 'example.org', resource: 'widgets', permissionClaims } as Offer;
}

function exported(
  of: ExportedApi,
  metadata: object = {},
  conditions: readonly Condition[] = inSync,
  spec: Partial<APIServiceExport['spec']> = {},
): APIServiceExport {
  const notes = { [annotations.sourceSpecHash]: sourceSpecHash(of) };
  return {
    apiVersion,
    kind: 'APIServiceExport',
    metadata: { name: 'widgets.example.org', namespace: 'cluster-a', annotations: notes, ...metadata },
    spec: { ...of, informerScope: 'Namespaced', permissionClaims: [secrets], ...spec },
    status: { conditions },
  };
}

function patchOf(decision: Decision): ExportPatch | undefined {
  return decision.is === 'kept' ? decision.patch : undefined;
}

function conditionOf(decision: Decision): Condition | undefined {
  return decision.is === 'kept' ? decision.conditions?.find(({ type }) => type === 'ProviderInSync') : undefined;
}

/** What a server makes of it. */
function applied(before: APIServiceExport, decision: Decision): APIServiceExport {
  if (decision.is === 'gone') return before;
  const merged = merge(before, decision.patch ?? {}) as APIServiceExport;
  return { ...merged, status: { conditions: decision.conditions ?? before.status?.conditions } };
}

/** A merge patch as RFC 7386 has it. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
