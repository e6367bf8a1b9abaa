import { annotations } from '@klutch/api';
import { connect, type KubeClient, loadKubeconfig, Namespaces, pause, Secrets, systemClock } from '@klutch/kube';
import { contexts, type Greeting, Greetings, type SandboxInfo } from '@klutch/sandbox';
import type { Teller } from './teller.ts';

const place = { namespace: 'default', name: 'ada' };

const wanted: Greeting = {
  apiVersion: `${Greetings.group}/${Greetings.version}`,
  kind: Greetings.kind,
  metadata: { name: place.name, namespace: place.namespace },
  spec: { to: 'Ada', language: 'fr' },
};

const manifest = `apiVersion: ${wanted.apiVersion}
kind: ${wanted.kind}
metadata:
  name: ${place.name}
spec:
  to: ${wanted.spec.to}
  language: ${wanted.spec.language}`;

/** Asks for a service in the app cluster, and waits for what comes of it on both sides. */
export async function claim({ kubeconfig }: SandboxInfo, teller: Teller, signal: AbortSignal): Promise<void> {
  const client = async (context: string) =>
    connect(await loadKubeconfig({ path: kubeconfig, context }), { userAgent: 'klutch-start' });
  const [app, controlPlane] = await Promise.all([client(contexts.app), client(contexts.controlPlane)]);
  try {
    teller.step('Ask for a service in the app cluster');
    teller.command(`kubectl apply -f - <<EOF\n${manifest}\nEOF`);
    await app.resource(Greetings).apply(wanted, { fieldManager: 'kubectl', signal });

    teller.step('It goes up to the control plane, where a provider serves it');
    teller.command(`kubectl --context ${contexts.controlPlane} get greetings -A`);
    const copy = await until(() => copyOn(controlPlane), signal);
    teller.done(`Greeting ${copy.metadata.namespace}/${copy.metadata.name} is on the control plane.`);

    teller.step('Status and credentials come down');
    teller.command(`kubectl get greeting ${place.name}`);
    const served = await until(() => readyIn(app), signal);
    teller.done(`It is Ready, and says: ${served.greeting}`);
    const name = served.secretName;
    teller.command(`kubectl get secret ${name} -o jsonpath={.data.passphrase} | base64 -d`);
    const secret = await until(() => app.resource(Secrets).find({ namespace: place.namespace, name }), signal);
    const length = Buffer.from(secret.data?.['passphrase'] ?? '', 'base64').length;
    if (length === 0) throw new Error(`Secret ${name} holds no passphrase.`);
    teller.done(`Secret ${name} holds a passphrase of ${length} characters.`);
  } finally {
    await Promise.all([app.close(), controlPlane.close()]);
  }
}

/** The object as the control plane has it, in the namespace that stands for ours. */
async function copyOn(controlPlane: KubeClient): Promise<Greeting | undefined> {
  const { items } = await controlPlane.resource(Greetings).list();
  for (const greeting of items) {
    const namespace = await controlPlane.resource(Namespaces).get({ name: greeting.metadata.namespace ?? '' });
    const origin = namespace.metadata.annotations?.[annotations.apiServiceNamespace];
    if (greeting.metadata.name === place.name && origin?.endsWith(`/${place.namespace}`)) return greeting;
  }
  return undefined;
}

async function readyIn(
  app: KubeClient,
): Promise<{ readonly greeting: string; readonly secretName: string } | undefined> {
  const { status } = await app.resource(Greetings).get(place);
  const isReady = status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (!isReady || !status?.greeting || !status.secretName) return undefined;
  return { greeting: status.greeting, secretName: status.secretName };
}

async function until<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const seen = await look();
    if (seen !== undefined) return seen;
    await pause(systemClock, 100, signal);
  }
}
