import { annotations, labels } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../policy/caller.ts';
import { earlierIdentity, type Found, judgeRegistration, missing, registrationMeta } from './registration.ts';

const red = { identity: '["group","i","red"]', name: 'red' };
const blue = { identity: '["group","i","blue"]', name: 'blue' };
const caller: Caller = { kind: 'person', issuer: 'i', subject: 'ann', clientId: 'c', groups: [], displayName: 'Ann' };
const cluster = { id: 'abc', uid: 'uid-1' };

const namespace = (values: Record<string, string>, metadata: Namespace['metadata'] = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'cluster-x', ...metadata, annotations: values },
});
const ofRed = { [annotations.tenantIdentity]: red.identity, [annotations.appClusterId]: 'abc' };
const go = { [annotations.identity]: 'ann#abc' };
const nothing: Found = { registered: [], earlier: [] };
const judge = (found: Partial<Found>, tenants = [red], presented: { id: string; uid?: string } = cluster) =>
  judgeRegistration(presented, tenants, { ...nothing, ...found });

describe('an app cluster', () => {
  it('is free when nobody knows it', () => {
    expect(judge({})).toEqual({ is: 'free' });
  });

  it('belongs to the tenant that registered it, whichever of the caller it is', () => {
    const registered = [namespace(ofRed)];

    expect(judge({ registered }, [blue, red])).toEqual({ is: 'registered', namespace: registered[0], tenant: red });
  });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['has the UID it was registered with', { ...ofRed, [annotations.appClusterUid]: 'uid-1' }, 'uid-1'],
    ['does not tell its UID', { ...ofRed, [annotations.appClusterUid]: 'uid-1' }, undefined],
    ['did not tell its UID at first', ofRed, 'uid-1'],
  ])('is recognised when it %s', (_, values, uid) => {
    expect(judge({ registered: [namespace(values)] }, [red], { id: 'abc', uid })).toMatchObject({ is: 'registered' });
  });

  it('can be adopted from a Go backend, once', () => {
    expect(judge({ earlier: [namespace(go)] })).toMatchObject({ is: 'adoptable' });
    expect(judge({ earlier: [namespace({ ...go, [annotations.tenantIdentity]: blue.identity })] })).toEqual({
      is: 'free',
    });
  });

  it.each<[string, Partial<Found>, string, string]>([
    [
      'another tenant registered it',
      { registered: [namespace({ ...ofRed, [annotations.tenantIdentity]: blue.identity })] },
      'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      'another tenant',
    ],
    [
      'another cluster is registered under its id',
      { registered: [namespace({ ...ofRed, [annotations.appClusterUid]: 'uid-2' })] },
      'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      annotations.appClusterUid,
    ],
    [
      'its access is revoked',
      { registered: [namespace({ ...ofRed, [annotations.access]: 'Revoked' })] },
      'KLUTCH_ACCESS_REVOKED',
      'cluster-x',
    ],
    [
      'its access was revoked before it was adopted',
      { earlier: [namespace({ ...go, [annotations.access]: 'Revoked' })] },
      'KLUTCH_ACCESS_REVOKED',
      'cluster-x',
    ],
    [
      'its namespace is being removed',
      { registered: [namespace(ofRed, { deletionTimestamp: '2026-01-01T00:00:00Z' })] },
      'KLUTCH_BACKEND_UNAVAILABLE',
      'removed',
    ],
    ['its name is taken', { namesake: namespace({}) }, 'KLUTCH_NAMESPACE_FOREIGN', 'cluster-x'],
    [
      'its label is on a namespace of another',
      { registered: [namespace({ ...ofRed, [annotations.appClusterId]: 'xyz' })] },
      'KLUTCH_NAMESPACE_FOREIGN',
      'cluster-x',
    ],
    [
      'a Go backend made two namespaces',
      { earlier: [namespace(go), namespace(go, { name: 'cluster-y' })] },
      'KLUTCH_CLUSTER_IDENTITY_TAKEN',
      'cluster-x and cluster-y',
    ],
  ])('is refused when %s', (_, found, code, words) => {
    const registration = judge(found);

    expect(registration).toMatchObject({ is: 'refused', error: { code } });
    expect(registration.is === 'refused' && registration.error.message).toContain(words);
  });

  it('does not tell one tenant about another', () => {
    const registration = judge({ registered: [namespace(ofRed)] }, [blue]);

    expect(registration.is === 'refused' && registration.error.message).not.toMatch(/\bred\b|cluster-x/);
  });
});

describe('what a Go backend recorded', () => {
  it('S-18 is not looked for when it could mean somebody else', () => {
    expect(earlierIdentity(caller, cluster)).toBe('ann#abc');
    expect(earlierIdentity({ ...caller, subject: 'a#b' }, cluster)).toBeUndefined();
    expect(earlierIdentity(caller, { id: 'b#c' })).toBeUndefined();
  });
});

describe('what is recorded of an app cluster', () => {
  const mark = { [labels.backend]: 'bind' };
  const wanted = registrationMeta(cluster, red, caller, mark);

  it('is missing as long as it is not there', () => {
    expect(missing(namespace({}), wanted)).toHaveLength(8);
    expect(missing({ ...namespace({}), metadata: wanted }, wanted)).toEqual([]);
    const before = { ...wanted, annotations: { ...wanted.annotations, [annotations.boundBy]: 'i/bob' } };
    expect(missing({ ...namespace({}), metadata: before }, wanted)).toEqual([annotations.boundBy]);
  });

  it('does not take back a UID that is not told again', () => {
    expect(registrationMeta({ id: 'abc' }, red, caller, mark).annotations).not.toHaveProperty(
      annotations.appClusterUid,
    );
  });
});
