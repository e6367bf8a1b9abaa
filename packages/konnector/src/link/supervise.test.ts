import { type AcceptablePermissionClaim, annotations, type APIServiceBinding } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { BoundApi } from '../instances/bound-api.ts';
import { apiNeedsRestart, changeOf, planUnits, sameValue } from './supervise.ts';

const secrets = (state: 'Accepted' | 'Rejected', rest: Partial<AcceptablePermissionClaim> = {}) =>
  ({ resource: 'secrets', version: 'v1', state, ...rest }) as AcceptablePermissionClaim;

function binding(name: string, claims?: AcceptablePermissionClaim[]): APIServiceBinding {
  return {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'APIServiceBinding',
    metadata: { name, namespace: 'klutch-bind', uid: `uid-${name}` },
    spec: {
      kubeconfigSecretRef: { name: 's', namespace: 'klutch-bind', key: 'kubeconfig' },
      ...(claims ? { permissionClaims: claims } : {}),
    },
  };
}

function api(name: string, rest: Partial<BoundApi> = {}): BoundApi {
  const [plural = '', ...group] = name.split('.');
  const type = { group: group.join('.'), version: 'v1', plural, kind: 'Thing', namespaced: true };
  return {
    binding: { name, namespace: 'klutch-bind', uid: `uid-${name}` },
    name,
    appType: type,
    controlPlaneType: type,
    isolation: 'ServiceNamespace',
    informerScope: 'Namespaced',
    statusSubresource: true,
    statusConditions: true,
    orphans: 'Hold',
    ...rest,
  };
}

const a = 'a.example.org';
const b = 'b.example.org';
const input = (
  bindings: APIServiceBinding[],
  apis: BoundApi[],
  rest: { running?: BoundApi[]; foreign?: string[] } = {},
) => ({
  bindings,
  apis: new Map(apis.map((one) => [one.name, one])),
  running: new Map((rest.running ?? []).map((one) => [one.name, one])),
  foreign: new Set(rest.foreign ?? []),
});

describe('the plan of a link', () => {
  it('synchronises every API that is bound and has its CRD', () => {
    const plan = planUnits(input([binding(a), binding(b)], [api(a)]));

    expect([...plan.instances.keys()]).toEqual([a]);
    expect(plan.isPartial).toBe(true);
    expect(planUnits(input([binding(a)], [api(a)])).isPartial).toBe(false);
    expect(planUnits(input([], [])).isPartial).toBe(true);
  });

  it('KON-46 declines what a binding once accepted and no longer lists', () => {
    const plain = binding(a);
    const marked = {
      ...plain,
      metadata: { ...plain.metadata, annotations: { [annotations.claimedTypes]: '/v1/secrets' } },
    };

    expect([...planUnits(input([marked], [api(a)])).declined]).toEqual(['/v1/secrets']);
    expect([...planUnits(input([plain], [api(a)])).declined]).toEqual([]);
  });

  it('KON-58 has nothing to do for an API without a binding', () => {
    expect(planUnits(input([], [api(a)])).instances.size).toBe(0);
  });

  it('KON-10 does not touch an API whose CRD belongs to somebody else', () => {
    const plan = planUnits(
      input([binding(a, [secrets('Accepted')])], [], { running: [api(a)], foreign: [`uid-${a}`] }),
    );

    expect(plan.instances.size).toBe(0);
    expect(plan.claims.size).toBe(0);
    expect(plan.declined.size).toBe(0);
  });

  it('goes on with an API whose CRD is missing for a moment', () => {
    expect(planUnits(input([binding(a)], [], { running: [api(a)] })).instances.get(a)).toEqual(api(a));
  });

  it('does not take the API of a binding that had the name before for this one', () => {
    const old = api(a, { binding: { name: a, namespace: 'klutch-bind', uid: 'old' } });

    expect(planUnits(input([binding(a)], [old])).instances.size).toBe(0);
  });

  it('unites the claims of all bindings on a type', () => {
    const plan = planUnits(
      input([binding(a, [secrets('Accepted')]), binding(b, [secrets('Accepted')])], [api(a), api(b)]),
    );

    expect([...plan.claims.keys()]).toEqual(['/v1/secrets']);
    expect(plan.claims.get('/v1/secrets')?.type).toEqual({ group: '', version: 'v1', resource: 'secrets' });
    expect(plan.claims.get('/v1/secrets')?.claims.map(({ api: name }) => name)).toEqual([a, b]);
  });

  it('KON-45 leaves out what was rejected', () => {
    const plan = planUnits(input([binding(a, [secrets('Rejected')])], [api(a)]));

    expect(plan.claims.size).toBe(0);
    expect([...plan.declined]).toEqual(['/v1/secrets']);
    expect(plan.instances.size).toBe(1);
    expect(plan.rejected).toEqual([]);
    expect(plan.claimless).toEqual([{ name: a, namespace: 'klutch-bind', uid: `uid-${a}` }]);
  });

  it('KON-45 does not go on with a binding whose required claim was rejected', () => {
    const configMaps = secrets('Accepted', { resource: 'configmaps' });
    const plan = planUnits(input([binding(a, [secrets('Rejected', { required: true }), configMaps])], [api(a)]));

    expect(plan.instances.size).toBe(0);
    expect(plan.claims.size).toBe(0);
    expect([...plan.declined].sort()).toEqual(['/v1/configmaps', '/v1/secrets']);
    expect(plan.rejected).toMatchObject([{ binding: { name: a }, claim: 'secrets' }]);
    expect(plan.isPartial).toBe(true);
  });

  it('keeps an API that the provider no longer offers, and stops its claims without declining them', () => {
    const gone = api(a, { withdrawn: 'Ask the operator.' });
    const plan = planUnits(input([binding(a, [secrets('Accepted')])], [gone]));

    expect(plan.instances.get(a)).toEqual(gone);
    expect([plan.claims.size, plan.declined.size]).toEqual([0, 0]);
    expect(plan.withdrawn).toMatchObject([{ binding: { name: a }, why: 'Ask the operator.' }]);
  });

  it('keeps the claims of such an API while another one claims the type, so that no copy is removed', () => {
    const gone = api(a, { withdrawn: 'Ask the operator.' });
    const bindings = [binding(a, [secrets('Accepted')]), binding(b, [secrets('Accepted')])];
    const plan = planUnits(input(bindings, [gone, api(b)]));

    expect(plan.claims.get('/v1/secrets')?.claims.map(({ api: name }) => name)).toEqual([b, a]);
    expect(plan.withdrawn).toEqual([]);
  });
});

describe('what happens to a unit', () => {
  const never = () => false;
  const always = () => true;
  it.each<[string | undefined, string | undefined, () => boolean, string]>([
    [undefined, undefined, never, 'nothing'],
    [undefined, 'x', never, 'start'],
    ['x', undefined, never, 'stop'],
    ['x', 'x', always, 'nothing'],
    ['x', 'y', never, 'update'],
    ['x', 'y', always, 'restart'],
  ])('%s → %s', (before, wanted, needsRestart, expected) => {
    expect(changeOf(before, wanted, needsRestart)).toBe(expected);
  });

  it('is restarted only for another binding', () => {
    expect(apiNeedsRestart(api(a), api(a, { orphans: 'Delete' }))).toBe(false);
    expect(apiNeedsRestart(api(a), api(a, { binding: { name: a, uid: 'other' } }))).toBe(true);
    expect(apiNeedsRestart(api(a, { schema: '1' }), api(a, { schema: '2' }))).toBe(true);
  });

  it('does not notice the order of keys', () => {
    expect(sameValue({ a: 1, b: { c: 2, d: [1, 2] } }, { b: { d: [1, 2], c: 2 }, a: 1 })).toBe(true);
    expect(sameValue({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  });
});
