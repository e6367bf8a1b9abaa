import { KlutchError } from '@klutch/api';
import { describeProvider } from '@klutch/api/contract';
import type { KubeClient } from '@klutch/kube';
import { openBackend } from '../../bind/backend.ts';
import { clientCredentials } from '../../bind/client-credentials.ts';
import type { HttpSettings } from '../../bind/http-call.ts';
import { forEviction } from '../../bind/login-purpose.ts';
import { bindNamespace, fingerprintOf, identityOf } from '../../cluster/app-cluster.ts';
import { type EvictableConnection, evictConnection } from '../../rotate/evict-connection.ts';
import type { Progress } from '../../terminal/progress.ts';
import { wantedApi } from '../bind/bind-arguments.ts';
import { logIn } from '../bind/log-in.ts';
import type { RotateFlags } from '../rotate.ts';

export interface EvictContext {
  /** Of the app cluster. */
  readonly client: KubeClient;
  readonly flags: RotateFlags;
  readonly env: NodeJS.ProcessEnv;
  readonly http: HttpSettings;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Has the user log in and ends all credentials of a connection. Says what was achieved. */
export async function evict(connection: EvictableConnection, context: EvictContext): Promise<string> {
  const { client, flags, env, http, progress, signal } = context;
  const apis = connection.bindings.map(({ metadata }) => metadata.name ?? '');
  if (apis.length === 0) {
    const message = `Nothing is bound with Secret ${connection.secretName}. Run \`klutch unbind --all\`, which ends its credential.`;
    throw new KlutchError('KLUTCH_USAGE', message);
  }
  const credentials = flags.nonInteractive ? await clientCredentials(flags.credentialsFile, env) : undefined;
  const backend = openBackend(connection.backendUrl, http);
  const provider = await backend.call(describeProvider, undefined, { signal });
  const identity = identityOf(await bindNamespace(client, signal), await fingerprintOf(client, signal));
  const purpose = forEviction(connection.config.namespace);
  const options = {
    purpose,
    flags,
    env,
    backend,
    provider,
    identity,
    apis: apis.map(wantedApi),
    credentials,
    http,
    progress,
    signal,
  };
  let close: () => Promise<void> = async () => undefined;
  try {
    return await evictConnection(client, connection, {
      logIn: async () => {
        const login = await logIn(options);
        close = login.close;
        return login.response;
      },
      say: (text) => progress.note(text),
      signal,
    });
  } finally {
    await close();
  }
}
