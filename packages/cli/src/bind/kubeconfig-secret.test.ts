import { renderKubeconfig, type Secret } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { planSecret, secretManifest } from './kubeconfig-secret.ts';
import { readRemote, withNamespace } from './remote-cluster.ts';

const text = (server: string, namespace: string | undefined, token = 'token') =>
  renderKubeconfig({ server, namespace, user: { token } });
const secret = (name: string, kubeconfig: string | undefined): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'klutch-bind' },
  data: kubeconfig === undefined ? {} : { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
});
const remote = readRemote(text('https://hub.example:6443', 'cluster-a'), 'the test');
const same = (name: string) => secret(name, text(remote.host, remote.namespace, 'older'));

describe('planSecret', () => {
  it.each([
    ['there is none', [], [], { action: 'create' }],
    ['one leads there', [secret('x', 'junk'), same('a')], [], { action: 'update', name: 'a', isCurrent: false }],
    [
      'one is that very kubeconfig',
      [secret('a', remote.kubeconfig)],
      [],
      { action: 'update', name: 'a', isCurrent: true },
    ],
    ['two lead there', [same('a'), same('b')], ['b'], { action: 'update', name: 'b', isCurrent: false }],
    ['another host has the namespace', [secret('a', text('https://x.example', 'cluster-a'))], [], { action: 'create' }],
    ['the host has another namespace', [secret('a', text(remote.host, 'cluster-b'))], [], { action: 'create' }],
    ['bindings name one that is gone', [], ['a', 'a'], { action: 'restore', name: 'a', exists: false }],
    ['bindings name one that is damaged', [secret('a', '{')], ['a'], { action: 'restore', name: 'a', exists: true }],
    [
      'bindings name one that is empty',
      [secret('a', undefined)],
      ['a'],
      { action: 'restore', name: 'a', exists: true },
    ],
    [
      'bindings name one that leads elsewhere',
      [secret('a', text('https://x.example', 'c'))],
      ['a'],
      { action: 'create' },
    ],
    ['bindings name two that are gone', [], ['a', 'b'], { action: 'create' }],
  ] as const)('knows what to do when %s', (_, secrets, referenced, plan) => {
    expect(planSecret(secrets, referenced, remote)).toEqual(plan);
  });
});

describe('secretManifest', () => {
  it('has a name that does not change between two dry runs', () => {
    const names = [1, 2].map(() => secretManifest({ action: 'create' }, remote, undefined).metadata.name);

    expect(names[0]).toMatch(/^kubeconfig-[0-9a-f]{5}$/);
    expect(names[1]).toBe(names[0]);
  });

  it('remembers where the credential came from', () => {
    const { metadata } = secretManifest({ action: 'create' }, remote, 'https://b.example/export');
    expect(metadata.annotations).toEqual({ 'klutch.anynines.com/backend-url': 'https://b.example/export' });
  });
});

describe('readRemote', () => {
  it('refuses a kubeconfig without a namespace, or with commands', () => {
    expect(() => readRemote(text('https://x.example', undefined), 'It')).toThrow(
      /It: the current context names no namespace/,
    );
    const exec = remote.kubeconfig.replace(
      /token: .*/,
      'exec: {command: rm, apiVersion: client.authentication.k8s.io/v1}',
    );
    expect(() => readRemote(exec, 'It')).toThrow(/exec/);
  });
});

describe('withNamespace', () => {
  it('puts a namespace into the current context and nothing else', async () => {
    const changed = await withNamespace(text('https://x.example', undefined), 'cluster-b');

    expect(readRemote(changed, 'It')).toMatchObject({ namespace: 'cluster-b', host: 'https://x.example' });
    expect(await withNamespace(changed, 'cluster-b')).toBe(changed);
  });

  it.each(['', 'junk', '- a', '{', 'contexts: []', 'current-context: a'])('leaves %j as it is', async (junk) => {
    expect(await withNamespace(junk, 'x')).toBe(junk);
  });
});
