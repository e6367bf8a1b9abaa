import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type APIServiceExportRequestResponse, KlutchError, kubeconfigKey } from '@klutch/api';
import { type KubeClient, Secrets } from '@klutch/kube';
import { callHttp } from '../../bind/http-call.ts';
import { type RemoteCluster, readRemote, withNamespace } from '../../bind/remote-cluster.ts';
import { requestsIn } from '../../bind/requests-in.ts';
import { bindNamespace } from '../../cluster/app-cluster.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { ApiServiceFlags } from '../bind.ts';
import { finishBinding } from './finish.ts';
import { preflightBind } from './preflight-bind.ts';
import { inSession, type Session } from './session.ts';

/** Binds the APIs of export requests from a file, an address or standard input, with a kubeconfig that is at hand. */
export async function runApiService(
  argument: string | undefined,
  flags: ApiServiceFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const source = sourceOf(argument, flags.file);
  refuseHalves(flags);
  await inSession(flags, env, terminal, async (session) => {
    const requests = await readRequests(source, session);
    const remote = await remoteOf(flags, session);
    const namespace = await bindNamespace(session.app.client, session.signal);
    await preflightBind(session, namespace);
    await finishBinding(session, flags, { requests, remote, mayAsk: source.kind !== 'input', asksAsGo: true });
  });
}

type Source =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'input' };

/** Pure: where the manifest comes from. */
function sourceOf(argument: string | undefined, file: string | undefined): Source {
  if (argument !== undefined && file !== undefined) throw usage('Give either an address or -f, not both.');
  if (argument === '-' || file === '-') return { kind: 'input' };
  if (file !== undefined) return { kind: 'file', path: resolve(file) };
  if (argument === undefined)
    throw usage('Name the manifest of the export request: an address, -f <file>, or - for standard input.');
  if (/^https?:\/\/./.test(argument) && URL.canParse(argument)) return { kind: 'url', url: argument };
  throw usage(`"${argument}" is not an address; name a file with -f.`);
}

async function readRequests(
  source: Source,
  { terminal, http, signal }: Session,
): Promise<readonly APIServiceExportRequestResponse[]> {
  switch (source.kind) {
    case 'input':
      return requestsIn((await terminal.input?.().rest(signal)) ?? '', 'Standard input');
    case 'file': {
      const text = await readFile(source.path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        throw usage(`The manifest ${source.path} cannot be read (${cause.code ?? 'unknown'}); check -f.`);
      });
      return requestsIn(text, source.path);
    }
    case 'url': {
      const { status, text, url } = await callHttp(
        source.url,
        { signal, headers: { accept: '*/*' }, isPublic: true },
        http,
      );
      if (status === 200) return requestsIn(text, url);
      throw new KlutchError(
        'KLUTCH_PROVIDER_UNREACHABLE',
        `The address ${url} answered ${status} in place of a manifest; check the address.`,
      );
    }
  }
}

function refuseHalves(flags: ApiServiceFlags): void {
  const { remoteKubeconfig, remoteKubeconfigNamespace, remoteKubeconfigName } = flags;
  if (remoteKubeconfig !== undefined) return;
  if (remoteKubeconfigNamespace && remoteKubeconfigName) return;
  if (remoteKubeconfigNamespace || remoteKubeconfigName) {
    throw usage('--remote-kubeconfig-namespace and --remote-kubeconfig-name belong together; give both.');
  }
  throw usage(
    'Name a kubeconfig for the control plane: --remote-kubeconfig, or a Secret with --remote-kubeconfig-namespace and --remote-kubeconfig-name.',
  );
}

async function remoteOf(flags: ApiServiceFlags, { app, signal }: Session): Promise<RemoteCluster> {
  const { text, source } =
    flags.remoteKubeconfig === undefined
      ? await fromSecret(app.client, flags, signal)
      : await fromFile(resolve(flags.remoteKubeconfig));
  return readRemote(flags.remoteNamespace ? await withNamespace(text, flags.remoteNamespace) : text, source);
}

async function fromFile(path: string): Promise<{ readonly text: string; readonly source: string }> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw usage(`The kubeconfig ${path} cannot be read (${cause.code ?? 'unknown'}); check --remote-kubeconfig.`);
  });
  return { text, source: path };
}

async function fromSecret(
  client: KubeClient,
  { remoteKubeconfigNamespace: namespace = '', remoteKubeconfigName: name = '' }: ApiServiceFlags,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly source: string }> {
  const source = `Secret ${namespace}/${name}`;
  const secret = await client.resource(Secrets).find({ namespace, name }, { signal });
  if (secret === undefined) {
    throw new KlutchError(
      'KLUTCH_KUBECONFIG_SECRET_NOT_FOUND',
      `${source} does not exist in the app cluster; check both flags, or bind again.`,
    );
  }
  const encoded = secret.data?.[kubeconfigKey];
  if (encoded) return { text: Buffer.from(encoded, 'base64').toString('utf8'), source };
  throw new KlutchError(
    'KLUTCH_KUBECONFIG_SECRET_INVALID',
    `${source} has no key "${kubeconfigKey}"; bind again, or put the kubeconfig there.`,
  );
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
