import { randomBytes } from 'node:crypto';
import {
  informerSource,
  isKubeError,
  type KubeClient,
  type Logger,
  refOf,
  runController,
  Secrets,
  startInformer,
} from '@klutch/kube';
import { decide, secretNameOf } from './decide.ts';
import { type Greeting, Greetings } from './greeting.ts';

export interface ProviderDeps {
  /** Of the control plane. */
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Answers greetings on the control plane: what an automation backend does for real services. */
export function runProvider({ client, signal, log }: ProviderDeps): { readonly stopped: Promise<void> } {
  const greetings = client.resource(Greetings);
  const secrets = client.resource(Secrets);
  const informer = startInformer({ client: greetings }, signal);
  const controller = runController({
    name: 'greetings',
    sources: [informerSource(informer)],
    signal,
    log,
    reconcile: async (key) => {
      const greeting: Greeting | undefined = informer.cache.getByKey(key);
      if (!greeting) return;
      const { namespace } = refOf(key);
      const find = () => secrets.find({ namespace, name: secretNameOf(greeting) });
      const look = (secret: Awaited<ReturnType<typeof find>>) =>
        decide({ greeting, secret, now: new Date(), passphrase: randomBytes(12).toString('base64url') });
      const found = await find();
      const { create } = look(found);
      const secret = create ? await secrets.create(create).catch(ignoreExisting(find)) : found;
      const { status } = look(secret);
      if (!status) return;
      const patch = { status: { secretName: null, ...status } };
      await greetings.patch(refOf(key), { type: 'merge', patch }, { subresource: 'status' });
    },
  });
  return { stopped: Promise.all([controller.stopped, informer.stopped]).then(() => undefined) };
}

/** Another look tells whose it is. */
function ignoreExisting<T>(find: () => Promise<T>): (error: unknown) => Promise<T> {
  return async (error) => {
    if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) return find();
    throw error;
  };
}
