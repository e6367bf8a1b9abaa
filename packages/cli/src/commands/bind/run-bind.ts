import { kubeconfigOf } from '@klutch/api';
import { describeProvider } from '@klutch/api/contract';
import { openBackend } from '../../bind/backend.ts';
import { clientCredentials } from '../../bind/client-credentials.ts';
import { forCredential } from '../../bind/login-purpose.ts';
import { readRemote } from '../../bind/remote-cluster.ts';
import {
  bindNamespace,
  type ClusterIdentity,
  ensureBindNamespace,
  fingerprintOf,
  identityOf,
} from '../../cluster/app-cluster.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { BindFlags } from '../bind.ts';
import { providerUrl, refuseContradictions, wantedApi } from './bind-arguments.ts';
import { finishBinding } from './finish.ts';
import { logIn, refuseOthers } from './log-in.ts';
import { preflightBind } from './preflight-bind.ts';
import { inSession, type Session } from './session.ts';

/** Binds APIs of the provider at a URL. Throws before anything is changed whenever that can be known before. */
export async function runBind(
  urls: readonly string[],
  flags: BindFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const url = providerUrl(urls);
  const apis = (flags.api ?? []).map(wantedApi);
  refuseContradictions(flags, apis);
  const credentials = flags.nonInteractive ? await clientCredentials(flags.credentialsFile, env) : undefined;
  await inSession(flags, env, terminal, async (session) => {
    const { progress, signal, http } = session;
    const backend = openBackend(url, http);
    const provider = await progress.during(`Asking ${url}`, () =>
      backend.call(describeProvider, undefined, { signal }),
    );
    const identity = await presentCluster(session, flags);
    const login = await logIn({
      purpose: forCredential,
      flags,
      env,
      backend,
      provider,
      identity,
      apis,
      credentials,
      http,
      progress,
      signal,
    });
    try {
      const { response } = login;
      if (apis.length > 0) refuseOthers(response.requests, apis);
      const remote = readRemote(kubeconfigOf(response), 'The kubeconfig from the provider');
      progress.done(`Logged in to ${provider.providerPrettyName}.`);
      const wanted = { requests: response.requests, remote, backendUrl: url, mayAsk: credentials === undefined };
      await finishBinding(session, flags, wanted);
    } finally {
      await login.close();
    }
  });
}

/** Who this app cluster is. Its namespace `klutch-bind`, from which that follows, is created unless nothing may change. */
async function presentCluster(session: Session, flags: BindFlags): Promise<ClusterIdentity> {
  const { app, progress, signal, dryRun } = session;
  const found = await bindNamespace(app.client, signal);
  await preflightBind(session, found);
  const fingerprint = await fingerprintOf(app.client, signal);
  if (dryRun !== 'all') {
    const namespace = found ?? (await ensureBindNamespace(app.client, signal));
    if (found === undefined) progress.done(`Created namespace ${namespace.metadata.name}.`);
    return identityOf(namespace, fingerprint, flags.clusterId);
  }
  const identity = identityOf(found, fingerprint, flags.clusterId);
  if (found === undefined && flags.clusterId === undefined) {
    progress.warn(
      `Namespace klutch-bind, from which the identity of a cluster is derived, does not exist, and a dry run does not create it. The provider will know this cluster as ${identity.id}; give --cluster-id ${identity.id} to bind under the same identity later.`,
    );
  }
  return identity;
}
