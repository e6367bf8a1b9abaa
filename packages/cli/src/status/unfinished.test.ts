import type { APIServiceBinding, ClusterBinding } from '@klutch/api';
import type { ClusterConfig } from '@klutch/kube';
import { expect, it } from 'vitest';
import type { Connection } from '../connections/find-connections.ts';
import type { Report } from './status-of.ts';
import { unfinishedOf } from './unfinished.ts';

const config = { server: 'https://cp.example', namespace: 'cluster-a' } as ClusterConfig;
const bound = (...apis: string[]) => apis.map((name) => ({ metadata: { name } }) as APIServiceBinding);
const exporting = (...exports: string[]): Report => ({ clusterBinding: {} as ClusterBinding, exports });
const connection = (more: Partial<Connection>): Connection => ({
  secretName: 'kubeconfig-x',
  bindings: [],
  config,
  backendUrl: 'https://p.example/export',
  ...more,
});

it.each<[string, Connection, Report, (string | RegExp)[]]>([
  ['what is bound', connection({ bindings: bound('a.b') }), exporting('a.b'), []],
  ['a control plane that does not answer', connection({ bindings: bound('a.b') }), { problem: 'x' }, []],
  [
    'an export that nothing is bound to',
    connection({ bindings: bound('a.b') }),
    exporting('a.b', 'c.d'),
    [/exports c\.d .* `klutch bind https:\/\/p\.example\/export` .* `klutch unbind c\.d`/],
  ],
  ['an unused credential', connection({}), exporting(), [/Nothing is bound with .* klutch-bind\/kubeconfig-x/]],
  [
    'an unbinding that is still granted',
    connection({ unbinding: ['a.b'] }),
    exporting('a.b'),
    ['Unbinding a.b is not finished. Run `klutch unbind a.b` again.'],
  ],
  [
    'an unbinding of which only the Secret is left',
    connection({ unbinding: ['a.b'] }),
    exporting(),
    ['Unbinding a.b is not finished. Run `klutch unbind a.b` again.'],
  ],
  ['a Secret that is missing', connection({ bindings: bound('a.b'), config: undefined }), { problem: 'x' }, []],
])('knows what is unfinished: %s', (_, one, report, messages) => {
  const found = unfinishedOf({ connections: [{ connection: one, report }] });

  expect(found.map(({ message }) => message)).toEqual(
    messages.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))),
  );
});

it('knows an upgrade that has yet to create bindings, and one that has yet to start the konnector', () => {
  const spec = { kubeconfigSecretRef: { name: 's', namespace: 'n', key: 'kubeconfig' as const } };
  expect(unfinishedOf({ connections: [], saved: [{ metadata: { name: 'a.b' }, spec }] })).toEqual([
    { apis: ['a.b'], message: expect.stringContaining('(bindings not created yet: a.b)') as string },
  ]);
  expect(unfinishedOf({ connections: [], saved: [] })).toEqual([
    { apis: [], message: expect.stringContaining('Run `klutch upgrade` again.') as string },
  ]);
});
