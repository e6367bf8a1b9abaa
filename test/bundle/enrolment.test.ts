import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { APIServiceBindings, ConditionType, labels } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { Namespaces, Secrets } from '@klutch/kube';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Running, runKlutch } from '../../packages/cli/src/testing/run-klutch.ts';
import { patiently } from '../backend/process-world.ts';
import { unique } from '../konnector/clusters.ts';
import { type AppCluster, openAppCluster, podKubeconfig } from './app-cluster.ts';
import { storedKubeconfig } from './rotations.ts';
import { openProvider, type Provider } from './scene.ts';

/** The file with another value in its enrolment Secret. */
function withField(text: string, key: string, value: string): string {
  const changed = text.replace(new RegExp(`^  ${key}: .*$`, 'm'), `  ${key}: ${Buffer.from(value).toString('base64')}`);
  if (changed === text) throw new Error(`The bundle has no field ${key}.`);
  return changed;
}

const past = '2020-01-01T00:00:00.000Z';

/** Passes requests on to the backend, and tells what it answered before the answer goes back. */
async function startFront(provider: Provider, onAnswer: () => Promise<void> | void): Promise<string> {
  const { port } = new URL(provider.url);
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const forwarded = send({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      void answer.toArray().then(async (chunks) => {
        await onAnswer();
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks as Buffer[]));
      });
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/export`;
}

/** A konnector as a process of its own, with the rights of its service account. */
async function startPod(app: AppCluster): Promise<Running> {
  const file = join(app.kubectl.folder, unique('pod'));
  await writeFile(file, await podKubeconfig(app.cluster), { mode: 0o600 });
  const health = ['--health-host=127.0.0.1', '--health-port=0'];
  return runKlutch(['konnector', '--kubeconfig', file, ...health], {
    POD_NAME: unique('pod'),
    POD_NAMESPACE: 'klutch-bind',
  });
}

function enrolling(tier: Tier): void {
  it('is finished by the next konnector when one is killed between exchanging the token and storing the credential', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier, { isManned: false });
    const pods: Running[] = [];
    let answers = 0;
    const front = await startFront(provider, async () => {
      answers += 1;
      if (answers > 1) return;
      pods[0]?.process.kill('SIGKILL');
      await pods[0]?.ended();
    });
    await app.apply(await app.file(withField(await provider.bundle(), 'backend-url', front)));

    pods.push(await startPod(app));
    expect(await pods[0]?.ended()).toBe('SIGKILL');
    expect(await app.credentials()).toEqual([]);
    pods.push(await startPod(app));
    await app.untilReady(api.name);

    expect(answers).toBe(2);
    const { items } = await provider.controlPlane.admin.resource(Namespaces).list({ labelSelector: labels.appCluster });
    expect(items).toHaveLength(1);
  }, 240_000);

  it('is over when the token has ended, and of no interest while the credential works', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier);
    const text = await provider.bundle();

    // The backend refuses a token that has ended as it refuses one that it cannot read.
    const ended = withField(withField(text, 'expires-at', past), 'token', 'ended');
    await app.apply(await app.file(ended));
    const message = await app.untilSays(api.name, ConditionType.Enrolled, 'EnrolmentExpired');
    expect(message).toMatch(
      /does not accept the enrolment token, which was to end at 2020-.*Make the bundle again with `klutch bind <provider-url> --bundle`/,
    );
    expect(await app.credentials()).toEqual([]);

    await app.apply(await app.file(text));
    await app.untilReady(api.name);
    await app.apply(await app.file(ended));
    await app.admin
      .resource(APIServiceBindings)
      .patch(
        { namespace: 'klutch-bind', name: api.name },
        { type: 'merge', patch: { metadata: { labels: { touched: 'yes' } } } },
      );
    await app.untilReady(api.name);
    const { status } = await app.binding(api.name);
    expect(status?.conditions?.map(({ type }) => type)).not.toContain(ConditionType.Enrolled);
  }, 240_000);

  it('is exchanged although its token has ended by the clock of the konnector: the backend decides', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier);

    await app.apply(await app.file(withField(await provider.bundle(), 'expires-at', past)));
    await app.untilReady(api.name);
  }, 240_000);

  it('replaces a credential that the control plane does not accept any more', async () => {
    const provider = await openProvider(tier);
    const [api] = provider.apis;
    const app = await openAppCluster(tier);
    await app.apply(await app.file(await provider.bundle()));
    await app.untilReady(api.name);
    const dead = await storedKubeconfig(app);

    const namespace = /namespace: (\S+)/.exec(dead)?.[1] ?? '';
    const anchors = provider.controlPlane.admin.resource(Secrets);
    await provider.backend.stop();
    const { items } = await anchors.list({ namespace, labelSelector: `${labels.credential}=token` });
    for (const { metadata } of items) await anchors.delete({ namespace, name: metadata.name ?? '' });
    await app.untilSays(api.name, ConditionType.Heartbeating, 'CredentialsRejected');
    await app.untilSays(api.name, ConditionType.Enrolled, 'EnrolmentFailed');
    await provider.restart();

    await patiently(async () => (await storedKubeconfig(app)) !== dead);
    await app.untilReady(api.name);
  }, 240_000);
}

describe('an enrolment (embedded)', () => enrolling('embedded'));
describeReal('an enrolment (real)', () => enrolling('real'));
