import { apiName, kubeconfigOf, KlutchError, type BindingResponse } from '@klutch/api';
import { bindMachine, type BindRequest, type ContractClient, describeProvider } from '@klutch/api/contract';
import { openBackend } from '../../bind/backend.ts';
import { clientCredentials, fetchToken, withScope } from '../../bind/client-credentials.ts';
import { type Login, type LoginOptions, loginWithBrowser, loginWithDeviceCode } from '../../bind/login.ts';
import { browserCommand, openBrowser } from '../../bind/open-browser.ts';
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
import { finishBinding } from './finish.ts';
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
    const login = await logIn();
    try {
      const { response } = login;
      if (apis.length > 0) refuseOthers(response, apis);
      const remote = readRemote(kubeconfigOf(response), 'The kubeconfig from the provider');
      progress.done(`Logged in to ${provider.providerPrettyName}.`);
      const wanted = { requests: response.requests, remote, backendUrl: url, mayAsk: credentials === undefined };
      await finishBinding(session, flags, wanted);
    } finally {
      await login.close();
    }

    async function logIn(): Promise<Login> {
      const request: BindRequest = {
        clusterID: identity.id,
        clusterUID: identity.fingerprint,
        apis,
        tenant: flags.tenant,
      };
      if (credentials !== undefined) {
        const token = await fetchToken(credentials, http, signal);
        const response = await progress
          .during('Logging in as a machine', () => backend.call(bindMachine, request, { token, signal }))
          .catch((error: unknown) => {
            throw withScope(error, credentials.scope);
          });
        return { response, close: async () => undefined };
      }
      const options = loginOptions(session, flags, backend, { provider, identity, env });
      if (!flags.deviceCode) return loginWithBrowser(options);
      return { response: await loginWithDeviceCode(options, request), close: async () => undefined };
    }
  });
}

function loginOptions(
  { progress, signal }: Session,
  flags: BindFlags,
  backend: ContractClient,
  { provider, identity, env }: Pick<LoginOptions, 'provider' | 'identity'> & { readonly env: NodeJS.ProcessEnv },
): LoginOptions {
  return {
    backend,
    provider,
    identity,
    apis: flags.api ?? [],
    progress,
    signal,
    timeoutMs: flags.loginTimeout ?? 600_000,
    openBrowser: async (address) => {
      const command = flags.browser === false ? undefined : browserCommand(address, process.platform, env);
      return command === undefined ? false : openBrowser(command);
    },
  };
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

function providerUrl(urls: readonly string[]): string {
  const [url = '', ...others] = urls;
  if (others.length > 0) throw usage('Bind one provider at a time: give one address.');
  if (/^https?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw usage(`"${url}" is not the address of a provider; it begins with https:// and usually ends in /export.`);
}

type WantedApi = BindRequest['apis'][number];

/** `<resource>.<group>` */
function wantedApi(name: string): WantedApi {
  const match = /^([a-z0-9-]+)(?:\.([a-z0-9.-]+))?$/.exec(name);
  if (match === null) throw usage(`--api ${name} is not the name of an API, such as postgresqlinstances.anynines.com.`);
  return { resource: match[1] ?? '', group: match[2] ?? '' };
}

function refuseContradictions(flags: BindFlags, apis: readonly WantedApi[]): void {
  if (flags.nonInteractive && flags.deviceCode)
    throw usage('--non-interactive contradicts --device-code; give one of them.');
  if (flags.credentialsFile && !flags.nonInteractive) throw usage('--credentials-file belongs to --non-interactive.');
  const withoutPage = flags.nonInteractive ? '--non-interactive' : flags.deviceCode ? '--device-code' : undefined;
  if (withoutPage && apis.length === 0)
    throw usage(`With ${withoutPage} nobody chooses in a browser; name what to bind with --api.`);
  if (flags.tenant && !withoutPage)
    throw usage('--tenant belongs to --non-interactive and --device-code; in the browser you choose it there.');
  if (flags.clusterId !== undefined && !/^[A-Za-z0-9._-]{1,64}$/.test(flags.clusterId)) {
    throw usage('--cluster-id must be 1 to 64 letters, digits, dots, dashes and underscores.');
  }
}

/** What was asked for by name has to come, whatever was ticked besides. */
function refuseOthers({ requests }: BindingResponse, apis: readonly WantedApi[]): void {
  const got = new Set(requests.flatMap(({ spec }) => spec.resources.map(apiName)));
  const missing = apis.map(apiName).filter((api) => !got.has(api));
  if (missing.length === 0) return;
  throw new KlutchError(
    'KLUTCH_API_NOT_OFFERED',
    `The provider did not give ${missing.join(', ')}; choose it in the catalogue, or ask the operator whether it is offered.`,
  );
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
