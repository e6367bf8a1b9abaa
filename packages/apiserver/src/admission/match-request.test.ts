import { describe, expect, it } from 'vitest';
import { builtInResources } from '../kinds/index.ts';
import { createRegistry } from '../registry/registry.ts';
import { notFound } from '../status/status-error.ts';
import { type AdmissionAttributes, attributesOf, type Change } from './admission-attributes.ts';
import { matchRequest } from './match-request.ts';
import type { MatchResources, ResourceRule } from './policy-objects.ts';

const registry = createRegistry(builtInResources);
const labelsOfNamespaces: Readonly<Record<string, Readonly<Record<string, string>>>> = { blue: { team: 'blue' } };

const context = {
  registry,
  namespaceLabels: (name: string) => {
    const labels = labelsOfNamespaces[name];
    if (!labels) throw notFound({ group: '', resource: 'namespaces' }, name);
    return labels;
  },
};

interface Asked {
  readonly type?: readonly [group: string, resource: string];
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly change?: Change;
}

function attributes({
  type = ['', 'configmaps'],
  namespace,
  name = 'a',
  subresource,
  change,
}: Asked): AdmissionAttributes {
  const [group, resource] = type;
  const call = {
    resource: registry.require(group, 'v1', resource),
    namespace,
    name,
    subresource,
    user: { name: 'alice', groups: [] },
    dryRun: false,
    fieldManager: '',
    fieldValidation: 'Warn' as const,
    warn: () => {},
  };
  return attributesOf(call, change ?? { operation: 'CREATE', object: { metadata: { name } } });
}

const rule = (resources: string[], more: ResourceRule = {}): ResourceRule => ({
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources,
  ...more,
});

const rows: readonly (readonly [title: string, match: MatchResources, asked: Asked, isMatched: boolean])[] = [
  ['the resource', { resourceRules: [rule(['configmaps'])] }, { namespace: 'blue' }, true],
  ['another resource', { resourceRules: [rule(['secrets'])] }, { namespace: 'blue' }, false],
  ['a star without its subresources', { resourceRules: [rule(['*'])] }, { subresource: 'status' }, false],
  ['two stars with its subresources', { resourceRules: [rule(['*/*'])] }, { subresource: 'status' }, true],
  ['a subresource of all', { resourceRules: [rule(['*/status'])] }, { subresource: 'status' }, true],
  ['subresources of the resource', { resourceRules: [rule(['configmaps/*'])] }, {}, true],
  ['no rules at all', {}, {}, true],
  ['an excluded name', { excludeResourceRules: [rule(['*'], { resourceNames: ['a'] })] }, {}, false],
  ['another name', { resourceRules: [rule(['*'], { resourceNames: ['b'] })] }, {}, false],
  ['no name', { resourceRules: [rule(['*'], { resourceNames: ['a'] })] }, { name: '' }, false],
  ['the scope', { resourceRules: [rule(['*'], { scope: 'Namespaced' })] }, { namespace: 'blue' }, true],
  [
    'a namespace as an object of the cluster',
    { resourceRules: [rule(['*'], { scope: 'Cluster' })] },
    { type: ['', 'namespaces'] },
    true,
  ],
  [
    'the labels of the namespace',
    { namespaceSelector: { matchLabels: { team: 'blue' } } },
    { namespace: 'blue' },
    true,
  ],
  [
    'other labels of the namespace',
    { namespaceSelector: { matchLabels: { team: 'red' } } },
    { namespace: 'blue' },
    false,
  ],
  [
    'objects of the cluster whatever the namespace',
    { namespaceSelector: { matchLabels: { team: 'red' } } },
    { type: ['rbac.authorization.k8s.io', 'clusterroles'] },
    true,
  ],
  [
    'a namespace by the labels it gets',
    { namespaceSelector: { matchLabels: { team: 'new' } } },
    {
      type: ['', 'namespaces'],
      name: 'blue',
      change: { operation: 'UPDATE', object: { metadata: { labels: { team: 'new' } } }, old: {} },
    },
    true,
  ],
  [
    'a namespace that is deleted by the labels it has',
    { namespaceSelector: { matchLabels: { team: 'blue' } } },
    { type: ['', 'namespaces'], name: 'blue', change: { operation: 'DELETE', old: {} } },
    true,
  ],
  [
    'labels that the object had',
    { objectSelector: { matchLabels: { a: 'b' } } },
    { change: { operation: 'UPDATE', object: {}, old: { metadata: { labels: { a: 'b' } } } } },
    true,
  ],
  ['labels that the object has not', { objectSelector: { matchLabels: { a: 'b' } } }, {}, false],
];

describe('matchRequest', () => {
  it.each(rows)('looks at %s', (_, match, asked, isMatched) => {
    expect(matchRequest(match, attributes(asked), context) !== undefined).toBe(isMatched);
  });

  it('finds the same objects of another group', () => {
    const match = { matchPolicy: 'Equivalent', resourceRules: [rule(['events'], { apiGroups: ['events.k8s.io'] })] };
    const request = attributes({ type: ['', 'events'], namespace: 'blue' });

    expect(matchRequest(match, request, context)?.group).toBe('events.k8s.io');
    expect(matchRequest({ ...match, matchPolicy: 'Exact' }, request, context)).toBeUndefined();
  });

  it('complains of a namespace that is not there only when the request is meant', () => {
    const namespaceSelector = { matchLabels: { team: 'blue' } };
    const request = attributes({ namespace: 'gone' });

    expect(matchRequest({ namespaceSelector, resourceRules: [rule(['secrets'])] }, request, context)).toBeUndefined();
    expect(() => matchRequest({ namespaceSelector, resourceRules: [rule(['*'])] }, request, context)).toThrow(
      'namespaces "gone" not found',
    );
  });
});
