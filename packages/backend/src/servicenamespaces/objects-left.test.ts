import type { APIServiceExport, CustomResourceDefinition } from '@klutch/api';
import { KubeError, type KubeClient, type ResourceType } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { objectsLeft, typesToLookFor } from './objects-left.ts';

describe('types to look for in a service namespace', () => {
  it('are what is exported and what is offered, each once, as the control plane serves it', () => {
    const exports = [spec('widgets', 'v1'), spec('gadgets', 'v1')] as APIServiceExport[];
    const crds = [spec('widgets', 'v2'), spec('others', 'v1')] as CustomResourceDefinition[];

    expect(typesToLookFor(exports, crds).map(({ plural, version }) => `${plural} ${version}`)).toEqual([
      'widgets v2',
      'gadgets v1',
      'others v1',
    ]);
  });

  it('are none that cannot lie in a namespace or that nobody can read', () => {
    const unread = spec('widgets', 'v1', { versions: [{ name: 'v1', served: false }] });
    const wide = spec('wides', 'v1', { scope: 'Cluster' });

    expect(typesToLookFor([], [unread, wide] as CustomResourceDefinition[])).toEqual([]);
  });
});

describe('objects that are left', () => {
  const signal = new AbortController().signal;
  const types = ['widgets', 'gadgets', 'others'].map(
    (plural): ResourceType => ({ group: 'example.org', version: 'v1', plural, kind: plural, namespaced: true }),
  );

  it('are named, three of them at most', async () => {
    const client = clientWith({ widgets: ['w1', 'w2'], gadgets: [], others: ['o1', 'o2'] });

    expect(await objectsLeft(client, types, 'n', signal)).toEqual(['widgets w1', 'widgets w2', 'others o1']);
  });

  it('are none of a type that is no longer served', async () => {
    const client = clientWith({
      widgets: new KubeError('KUBE_NOT_FOUND', 'no such resource'),
      gadgets: [],
      others: [],
    });

    expect(await objectsLeft(client, types, 'n', signal)).toEqual([]);
  });

  it('are not known when a type cannot be read', async () => {
    const client = clientWith({ widgets: [], gadgets: new KubeError('KUBE_FORBIDDEN', 'not allowed'), others: [] });

    await expect(objectsLeft(client, types, 'n', signal)).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
  });
});

function spec(plural: string, version: string, fields: object = {}): object {
  const versions = [{ name: version, served: true }];
  return { spec: { group: 'example.org', names: { plural, kind: plural }, scope: 'Namespaced', versions, ...fields } };
}

function clientWith(content: Readonly<Record<string, readonly string[] | KubeError>>): KubeClient {
  const resource = ({ plural }: ResourceType) => ({
    list: async () => {
      const names = content[plural] ?? [];
      if (names instanceof KubeError) throw names;
      return { items: names.map((name) => ({ metadata: { name } })) };
    },
  });
  return { resource } as unknown as KubeClient;
}
