import { describe, expect, it } from 'vitest';
import { clusterNamespaceLimits, serviceNamespaceLimits } from './limits.ts';

const exported = (plural: string, permissionClaims: object[] = []) =>
  ({ spec: { group: 'ex.io', names: { plural, kind: plural }, permissionClaims } }) as never;

describe('limits', () => {
  it('of a service namespace are for each type that the app cluster may create in it', () => {
    const exports = [
      exported('widgets', [
        { resource: 'secrets', version: 'v1' },
        { resource: 'configmaps', version: 'v1', selector: { owner: 'Provider' } },
        { resource: 'gadgets', group: 'other.org', version: 'v1', selector: { owner: 'Consumer' } },
      ]),
      exported('parts'),
    ];

    expect(serviceNamespaceLimits(exports, { objectsPerNamespace: 7 })).toEqual({
      'count/secrets': '7',
      'count/gadgets.other.org': '7',
      'count/parts.ex.io': '7',
      'count/widgets.ex.io': '7',
    });
  });

  it('of a cluster namespace leave room to explain that there are too many namespaces', () => {
    expect(clusterNamespaceLimits({ namespacesPerCluster: 10 })).toEqual({
      'count/apiserviceexportrequests.klutch.anynines.com': '20',
      'count/apiservicenamespaces.klutch.anynines.com': '20',
    });
  });
});
