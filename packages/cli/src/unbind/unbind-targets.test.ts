import type { APIServiceBinding, ClusterBinding } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../connections/find-connections.ts';
import { allTargets, byConnection, unbindTargets } from './unbind-targets.ts';

const binding = (name: string) => ({ metadata: { name } }) as APIServiceBinding;
const one: Connection = { secretName: 'kubeconfig-1', bindings: [binding('a.x'), binding('b.x')], unbinding: ['c.x'] };
const other: Connection = { secretName: 'kubeconfig-2', bindings: [binding('d.x')] };
const silent = async () => Promise.reject(new Error('nobody should be asked'));
const exporting = async (connection: Connection) => ({
  clusterBinding: {} as ClusterBinding,
  exports: connection === other ? ['d.x', 'e.x'] : ['a.x', 'b.x'],
});

describe('unbindTargets', () => {
  it('finds what is bound and what was begun, without asking a control plane', async () => {
    expect(await unbindTargets(['a.x', 'c.x', 'a.x'], [one, other], silent)).toEqual([
      { api: 'a.x', connection: one, binding: one.bindings[0] },
      { api: 'c.x', connection: one },
    ]);
  });

  it('finds what is exported although it is not bound', async () => {
    expect(await unbindTargets(['e.x'], [one, other], exporting)).toEqual([{ api: 'e.x', connection: other }]);
  });

  it.each([
    [[one, other], 'Cannot unbind z.x: it is not bound here. Choose one of: a.x, b.x, d.x.'],
    [[], 'Cannot unbind z.x: it is not bound here. Nothing is bound here.'],
  ])('refuses anything else', async (connections, message) => {
    await expect(unbindTargets(['z.x'], connections, exporting)).rejects.toMatchObject({
      code: 'KLUTCH_USAGE',
      message,
    });
  });
});

it('finishes what was begun through the same connection', () => {
  const targets = [{ api: 'a.x', connection: one, binding: one.bindings[0] }];

  expect(byConnection(targets)).toEqual(new Map([[one, [...targets, { api: 'c.x', connection: one }]]]));
});

it('finds everything that is bound or begun, and connections with nothing', () => {
  const idle: Connection = { secretName: 'kubeconfig-3', bindings: [] };
  const killed: Connection = { ...other, unbinding: ['d.x', 'f.x'] };

  expect([...allTargets([one, killed, idle])]).toEqual([
    [
      one,
      [
        { api: 'a.x', connection: one, binding: one.bindings[0] },
        { api: 'b.x', connection: one, binding: one.bindings[1] },
        { api: 'c.x', connection: one },
      ],
    ],
    [
      killed,
      [
        { api: 'd.x', connection: killed, binding: killed.bindings[0] },
        { api: 'f.x', connection: killed },
      ],
    ],
    [idle, []],
  ]);
});
