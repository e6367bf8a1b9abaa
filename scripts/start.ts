import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClusterBinding,
  ClusterBindings,
  ClusterBindingReason,
  ConditionType,
  crds,
  CustomResourceDefinitions,
  falseCondition,
  setCondition,
  setReady,
  trueCondition,
} from '@klutch/api';
import { startApiServer } from '@klutch/apiserver';
import {
  connect,
  informerSource,
  type KubeClient,
  Namespaces,
  parseKubeconfig,
  refOf,
  runController,
  Secrets,
  startInformer,
} from '@klutch/kube';

/**
 * What there is of Klutch, at work: an API server in this process, the kinds of Klutch installed in it, and a controller
 * that keeps a ClusterBinding's conditions true. `--stay` leaves the server running for kubectl.
 */
const say = (text = '') => console.log(text);
const stay = process.argv.includes('--stay');
const namespace = 'tenant-1';

say('Klutch gives developers databases in their own cluster, run by one control plane for all.');
say('It is being built from the ground up. This command shows the parts that exist:');
say('  1. an API server in this process, without Docker, Go or a cluster');
say(`  2. the ${crds.length} kinds of Klutch installed in it`);
say('  3. a controller that watches a binding and reports its state');
say();

const folder = await mkdtemp(join(tmpdir(), 'klutch-'));
const server = await timed('API server started', () => startApiServer({ dir: folder }));
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
try {
  const config = parseKubeconfig(server.kubeconfig(), { source: 'the embedded API server', trust: 'local' });
  const client = connect(config, { userAgent: 'klutch-start/0.1.0' });
  await timed(`${crds.length} kinds installed`, () => installKinds(client));
  await timed('binding became Ready', () => bind(client));
  say();
  if (stay) await waitForInterrupt(client);
  else say('Done. `npm start -- --stay` keeps the server running, to be explored with kubectl.');
  await client.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  say(`✓ ${what} (${Math.round(performance.now() - began)} ms)`);
  return result;
}

async function installKinds(client: KubeClient): Promise<void> {
  const definitions = client.resource(CustomResourceDefinitions);
  const established = new Set<string>();
  const abort = new AbortController();
  const informer = startInformer({ client: definitions }, abort.signal);
  for (const crd of crds) await definitions.apply(crd, { fieldManager: 'klutch-start', force: true });
  await new Promise<void>((resolve) => {
    informer.subscribe(({ object }) => {
      const isReady = object.status?.conditions?.some(
        ({ type, status }) => type === 'Established' && status === 'True',
      );
      if (isReady && object.metadata.name) established.add(object.metadata.name);
      if (established.size === crds.length) resolve();
    });
  });
  abort.abort();
  await informer.stopped;
}

/** A tenant's binding lacks its kubeconfig Secret at first; the controller says so, and notices when it comes. */
async function bind(client: KubeClient): Promise<void> {
  const bindings = client.resource(ClusterBindings);
  const abort = new AbortController();
  const binding = startInformer({ client: bindings, namespace }, abort.signal);
  const secrets = startInformer({ client: client.resource(Secrets), namespace, metadataOnly: true }, abort.signal);
  const controller = runController({
    name: 'start',
    signal: abort.signal,
    sources: [informerSource(binding), informerSource(secrets, () => [`${namespace}/cluster`])],
    reconcile: async (key) => {
      const seen = binding.cache.getByKey(key);
      if (!seen) return;
      const found = secrets.cache.get({ namespace, name: seen.spec.kubeconfigSecretRef.name }) !== undefined;
      const conditions = verdict(seen, found);
      if (JSON.stringify(conditions) === JSON.stringify(seen.status?.conditions)) return;
      await bindings.patch(refOf(key), { type: 'merge', patch: { status: { conditions } } }, { subresource: 'status' });
    },
  });
  const isReady = new Promise<void>((resolve) => {
    binding.subscribe(({ object }) => {
      for (const { type, status, message } of object.status?.conditions ?? []) {
        if (type === 'Ready') say(`  ClusterBinding Ready=${status}${message ? `: ${message}` : ''}`);
        if (type === 'Ready' && status === 'True') resolve();
        if (type === 'Ready' && status === 'False') void createSecret(client);
      }
    });
  });
  await client.resource(Namespaces).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await bindings.create({
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'ClusterBinding',
    metadata: { namespace, name: 'cluster' },
    spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'Embedded' },
  });
  await isReady;
  abort.abort();
  await controller.stopped;
  await Promise.all([binding.stopped, secrets.stopped]);
}

function verdict(binding: ClusterBinding, hasSecret: boolean) {
  const message = `Secret ${binding.spec.kubeconfigSecretRef.name} does not exist yet.`;
  const state = hasSecret
    ? trueCondition(ConditionType.SecretValid)
    : falseCondition(ConditionType.SecretValid, 'Warning', ClusterBindingReason.ProviderSecretNotFound, message);
  const now = new Date();
  return setReady(setCondition(binding.status?.conditions, state, now), now);
}

async function createSecret(client: KubeClient): Promise<void> {
  await client.resource(Secrets).create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'kubeconfig' },
    stringData: { kubeconfig: '' },
  });
}

async function waitForInterrupt(client: KubeClient): Promise<void> {
  const file = join(folder, 'kubeconfig');
  await writeFile(file, server.kubeconfig(), { mode: 0o600 });
  say(`The API server listens at ${client.transport.server}. Try:`);
  say(`  KUBECONFIG=${file} kubectl get clusterbindings -A`);
  say('Ctrl-C ends it.');
  if (!stop.signal.aborted)
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
}
