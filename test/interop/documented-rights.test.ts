import { describe, expect, it } from 'vitest';
import { isDocumented } from './documented-rights.ts';

const grant = {
  clusterNamespace: 'cluster-1',
  serviceNamespaces: new Set(['cluster-1-team']),
  types: ['example.org/widgets', 'secrets'],
};
const klutch = '/apis/klutch.anynines.com/v1alpha1/namespaces/cluster-1';

describe('the documented rights of an app cluster', () => {
  it.each([
    ['GET', '/api/v1/namespaces/cluster-1'],
    ['GET', '/api/v1/namespaces/cluster-1/secrets?watch=true'],
    ['GET', `${klutch}/apiserviceexports?limit=500`],
    ['PATCH', `${klutch}/clusterbindings/cluster/status`],
    ['POST', `${klutch}/apiservicenamespaces`],
    ['DELETE', `${klutch}/apiservicenamespaces/team`],
    ['PATCH', '/apis/example.org/v1/namespaces/cluster-1-team/widgets/w?fieldManager=x&force=true'],
    ['PUT', '/api/v1/namespaces/cluster-1-team/secrets/creds'],
  ] as const)('cover %s %s', (method, path) => {
    expect(isDocumented({ method, path }, grant)).toBe(true);
  });

  it.each([
    ['GET', '/api/v1/namespaces'],
    ['GET', '/api/v1/namespaces/cluster-1-team'],
    ['GET', '/apis/example.org/v1/widgets?watch=true'],
    ['PATCH', '/apis/example.org/v1/namespaces/cluster-1-team/widgets/w/status'],
    ['GET', '/apis/example.org/v1/namespaces/cluster-2-team/widgets'],
    ['GET', '/apis/example.org/v1/namespaces/cluster-1/widgets'],
    ['DELETE', '/apis/example.org/v1/namespaces/cluster-1-team/widgets'],
    ['GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
    ['POST', '/api/v1/namespaces/cluster-1-team/events'],
    ['PATCH', '/api/v1/namespaces/cluster-1/secrets/kubeconfig'],
    ['PATCH', `${klutch}/apiserviceexports/widgets.example.org`],
    ['PATCH', `${klutch}/apiservicenamespaces/team/status`],
    ['GET', '/version'],
    ['GET', '/apis'],
  ] as const)('do not cover %s %s', (method, path) => {
    expect(isDocumented({ method, path }, grant)).toBe(false);
  });
});
