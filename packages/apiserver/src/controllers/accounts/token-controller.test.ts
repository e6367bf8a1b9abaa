import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningController } from '../context.ts';
import { type TestContext, testWorld, type TestWorld } from '../testing/test-world.ts';
import { type IssueSecretToken, startTokenController } from './token-controller.ts';

const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';

let cluster: TestWorld;
let stop: AbortController;
let controller: RunningController;
let context: TestContext;
let issued: string[];
let beforeIssue: () => Promise<void>;

const issueToken: IssueSecretToken = async ({ metadata }, secretName) => {
  await beforeIssue();
  const token = `token of ${metadata.namespace}/${metadata.name} (${metadata.uid}) in ${secretName}`;
  issued.push(token);
  return token;
};

const start = (caCertificate = 'CA') => {
  stop = new AbortController();
  context = cluster.context(stop.signal);
  controller = startTokenController(context, { caCertificate, issueToken });
};

const halt = async () => {
  stop.abort();
  await controller.loop.stop();
};

const settle = () => controller.loop.idle();
const robot = () => cluster.create('serviceaccounts', { name: 'robot', namespace: 'one' });
const tokenSecret = (name: string, account = 'robot') =>
  cluster.create(
    'secrets',
    { name, namespace: 'one', annotations: { [NAME]: account } },
    { type: 'kubernetes.io/service-account-token' },
  );
const text = (name: string, key: string) =>
  Buffer.from(
    (cluster.read('secrets', name, 'one')?.['data'] as Record<string, string> | undefined)?.[key] ?? '',
    'base64',
  ).toString();

beforeEach(async () => {
  issued = [];
  beforeIssue = async () => {};
  cluster = await testWorld();
  await cluster.create('namespaces', { name: 'one' });
  start();
});

afterEach(halt);

describe('a Secret for the token of a service account', () => {
  it('is filled', async () => {
    const account = await robot();
    await tokenSecret('token');
    await settle();
    expect(text('token', 'token')).toBe(`token of one/robot (${account.metadata.uid}) in token`);
    expect(text('token', 'ca.crt')).toBe('CA');
    expect(text('token', 'namespace')).toBe('one');
    const { metadata } = cluster.read('secrets', 'token', 'one') ?? {};
    expect(metadata?.annotations?.[UID]).toBe(account.metadata.uid);
    expect(metadata?.managedFields?.map(({ manager }) => manager).sort()).toEqual([
      'kube-controller-manager',
      'kubectl',
    ]);
  });

  it('goes when there is no such account', async () => {
    await tokenSecret('token');
    await settle();
    expect(cluster.keys('secrets')).toEqual([]);
  });

  it('goes with its account, and other Secrets stay', async () => {
    await robot();
    await cluster.create('serviceaccounts', { name: 'other', namespace: 'one' });
    await tokenSecret('token');
    await tokenSecret('other', 'other');
    await cluster.create(
      'secrets',
      { name: 'mine', namespace: 'one', annotations: { [NAME]: 'robot' } },
      { type: 'Opaque' },
    );
    await settle();
    await cluster.remove('serviceaccounts', 'robot', 'one');
    await settle();
    expect(cluster.keys('secrets')).toEqual(['one/mine', 'one/other']);
  });

  it('goes with its account even when there is another one of that name at once', async () => {
    await robot();
    await tokenSecret('token');
    await settle();
    const removed = cluster.remove('serviceaccounts', 'robot', 'one');
    const created = robot();
    await Promise.all([removed, created]);
    await settle();
    expect(cluster.keys('secrets')).toEqual([]);
  });

  it('gets a new token when somebody takes it out', async () => {
    await robot();
    await tokenSecret('token');
    await settle();
    await cluster.patch('secrets', 'token', { data: { token: null } }, 'one');
    await settle();
    expect(issued).toHaveLength(2);
    expect(text('token', 'token')).toBe(issued[1]);
  });

  it('gets the new certificate authority, and keeps its token, after a restart with another one', async () => {
    await robot();
    await tokenSecret('token');
    await settle();
    await halt();
    start('another CA');
    await settle();
    expect(text('token', 'ca.crt')).toBe('another CA');
    expect(issued).toHaveLength(1);
  });

  it('keeps what somebody writes while the token is being signed', async () => {
    await robot();
    beforeIssue = async () => {
      beforeIssue = async () => {};
      await cluster.patch('secrets', 'token', { metadata: { labels: { a: 'b' } } }, 'one');
    };
    await tokenSecret('token');
    await settle();
    expect(cluster.read('secrets', 'token', 'one')?.metadata.labels).toEqual({ a: 'b' });
    expect(context.warnings).toEqual([]);
    expect(text('token', 'token')).toBe(issued.at(-1));
  });

  it('is tried again when the token could not be signed', async () => {
    await robot();
    beforeIssue = async () => {
      beforeIssue = async () => {};
      throw new Error('no key yet');
    };
    await tokenSecret('token');
    await settle();
    expect(text('token', 'token')).toBe('');
    const deadline = performance.now() + 5_000;
    while (text('token', 'token') === '' && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(text('token', 'token')).toBe(issued[0]);
  });

  it('is not written to while all is well', async () => {
    await robot();
    await tokenSecret('token');
    await settle();
    const { revision } = cluster.store;
    await halt();
    start();
    await settle();
    expect(cluster.store.revision).toBe(revision);
  });
});
