import { describe, expect, it } from 'vitest';

import type { ApiObject } from '../objects/api-object.ts';
import { ownedIn, sample, sampleScope } from './sample-kind.ts';
import { trackScale } from './track-scale.ts';
import { trackUpdate } from './track-update.ts';

const now = new Date('2030-01-01T00:00:00Z');
const apiVersion = 'example.org/v1';
const replicasPaths = new Map([[apiVersion, '.spec.size']]);

const created = trackUpdate({ scope: sampleScope(), updated: sample({ size: 1, text: 'a' }), manager: 'creator', now });
const scale = (scaled: ApiObject, manager: string) => trackScale({ scaled, apiVersion, replicasPaths, manager });

describe('trackScale', () => {
  it('gives the replicas to the one who scaled, and takes them from others', () => {
    const scaled = scale({ ...created, spec: { size: 2, text: 'a' } }, 'scaler');
    expect(ownedIn(scaled)).toEqual({
      'scaler (Update, scale)': ['.spec.size'],
      'creator (Update)': ['.spec', '.spec.text'],
    });
    expect(scaled.spec).toEqual({ size: 2, text: 'a' });
    expect(scaled.metadata.managedFields?.[0]).not.toHaveProperty('time');
    expect(scaled.metadata.managedFields?.[1]?.time).toBe('2030-01-01T00:00:00Z');
  });

  it('leaves one owner however often it is done', () => {
    const twice = scale(scale(created, 'scaler'), 'other');
    expect(Object.keys(ownedIn(twice))).toEqual(['other (Update, scale)', 'creator (Update)']);
    expect(Object.keys(ownedIn(scale(created, '')))).toEqual(['unknown (Update, scale)', 'creator (Update)']);
  });

  it('forgets entries of versions it does not know', () => {
    const [entry] = created.metadata.managedFields ?? [];
    const managedFields = [{ ...entry, apiVersion: 'example.org/v0' }];
    const scaled = scale({ ...created, metadata: { ...created.metadata, managedFields } }, 'scaler');
    expect(Object.keys(ownedIn(scaled))).toEqual(['scaler (Update, scale)']);
  });

  it('starts anew from entries nobody can read', () => {
    const scaled = scale({ ...created, metadata: { managedFields: [{ manager: 'x' }] } }, 'scaler');
    expect(Object.keys(ownedIn(scaled))).toEqual(['scaler (Update, scale)']);
  });

  it('gives nothing to anyone in a version without replicas', () => {
    const scaled = trackScale({ scaled: created, apiVersion: 'example.org/v2', replicasPaths, manager: 'scaler' });
    expect(Object.keys(ownedIn(scaled))).toEqual(['creator (Update)']);
  });
});
