import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { decideApiServices } from './decide.ts';

const label = 'kube-aggregator.kubernetes.io/automanaged';
const spec = { group: 'ex.io', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 };
const wanted = { name: 'v1.ex.io', labels: { [label]: 'true' }, spec };
const stored = (more: Partial<ApiObject> = {}): ApiObject => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.ex.io', labels: { [label]: 'true' } },
  spec,
  ...more,
});
const nothing = { create: [], replace: [], remove: [] };

describe('API services of what is served', () => {
  it('are created when they are missing', () => {
    expect(decideApiServices([wanted], [])).toEqual({ ...nothing, create: [stored()] });
  });

  it('are left as they are when they are right', () => {
    expect(decideApiServices([wanted], [stored()])).toEqual(nothing);
  });

  it('are corrected when somebody changed what they say, and keep the rest', () => {
    const metadata = { name: 'v1.ex.io', uid: 'u', labels: { [label]: 'true', mine: 'yes' } };
    const changed = stored({ metadata, spec: { ...spec, versionPriority: 1 } });

    expect(decideApiServices([wanted], [changed])).toEqual({ ...nothing, replace: [stored({ metadata })] });
  });

  it('go with what they stood for', () => {
    expect(decideApiServices([], [stored()])).toEqual({ ...nothing, remove: ['v1.ex.io'] });
  });

  it('are not ours when somebody else made them, or took the mark off', () => {
    const foreign = stored({ metadata: { name: 'v1.ex.io' }, spec: { version: 'other' } });

    expect(decideApiServices([wanted], [foreign])).toEqual(nothing);
    expect(decideApiServices([], [foreign])).toEqual(nothing);
  });
});
