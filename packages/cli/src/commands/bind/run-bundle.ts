import { randomBytes } from 'node:crypto';
import { apiName, bundleNames, KlutchError } from '@klutch/api';
import { describeProvider, type EnrolmentGrant, maxEnrolmentSeconds } from '@klutch/api/contract';
import { openBackend } from '../../bind/backend.ts';
import { clientCredentials } from '../../bind/client-credentials.ts';
import { forBundle } from '../../bind/login-purpose.ts';
import { type Bundle, bundleId } from '../../bundle/bundle-manifests.ts';
import { printBundle } from '../../bundle/print-bundle.ts';
import { claimPolicy } from '../../claims/claim-policy.ts';
import { decideClaims } from '../../claims/decide-claims.ts';
import { httpSettings } from '../../cluster/http-settings.ts';
import { defaultKonnectorImage } from '../../manifests/konnector-image.ts';
import { packageVersion } from '../../package-version.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { BindFlags } from '../bind.ts';
import { providerUrl, refuseContradictions, wantedApi } from './bind-arguments.ts';
import { logIn, refuseOthers } from './log-in.ts';

/**
 * Prints a bundle for an app cluster, which needs not be reachable or even exist. Permission claims are decided now: whoever
 * applies the file is not asked.
 */
export async function runBundle(
  urls: readonly string[],
  flags: BindFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const url = providerUrl(urls);
  const apis = (flags.api ?? []).map(wantedApi);
  refuseContradictions(flags, apis);
  refuseOthersThanBundle(flags);
  const enrolmentSeconds = lifetimeOf(flags);
  const credentials = flags.nonInteractive ? await clientCredentials(flags.credentialsFile, env) : undefined;
  const http = await httpSettings(flags, env);
  const progress = createProgress(terminal);
  const signal = terminal.untilInterrupted();
  const backend = openBackend(url, http);
  try {
    const provider = await progress.during(`Asking ${url}`, () =>
      backend.call(describeProvider, undefined, { signal }),
    );
    const identity = { id: flags.clusterId ?? `enrolment-${randomBytes(8).toString('hex')}` };
    const login = await logIn({
      purpose: forBundle(enrolmentSeconds),
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
      const policy = await claimPolicy(
        { show: terminal.tell, input: terminal.input },
        { acceptClaims: flags.acceptClaims, mayAsk: credentials === undefined, signal },
      );
      const bundle: Bundle = {
        enrolment: enrolmentOf(response, url, http.ca),
        claims: await decideClaims(claimsIn(response), policy),
        image: flags.skipKonnector
          ? undefined
          : (flags.konnectorImage ?? defaultKonnectorImage(await packageVersion())),
        onUnbind: flags.onUnbind,
        isGuarded: flags.guard !== false,
      };
      const origin = { provider: provider.providerPrettyName, clusterId: response.clusterID };
      await printBundle(terminal, bundle, origin, flags.output === 'json' ? 'json' : 'yaml');
      progress.done(`The bundle can be exchanged until ${response.expiresAt}, by the first cluster it is applied to.`);
    } finally {
      await login.close();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new KlutchError('KLUTCH_INTERRUPTED', 'Interrupted. Nothing was bound; run the command again.', {
      cause: error,
    });
  } finally {
    terminal.input?.().close();
  }
}

const defaultLifetimeMs = 86_400_000;

function lifetimeOf({ bundleLifetime = defaultLifetimeMs }: BindFlags): number {
  const seconds = Math.floor(bundleLifetime / 1_000);
  if (seconds >= 60 && seconds <= maxEnrolmentSeconds) return seconds;
  throw usage(`--bundle-lifetime must be from 1m to ${maxEnrolmentSeconds / 3_600}h.`);
}

function enrolmentOf({ clusterID, token, expiresAt }: EnrolmentGrant, backendUrl: string, ca: string | undefined) {
  const id = bundleId(backendUrl, clusterID);
  const { kubeconfigSecret } = bundleNames(id);
  return { id, backendUrl, token, expiresAt: new Date(expiresAt), kubeconfigSecret, ...(ca !== undefined && { ca }) };
}

function claimsIn({ requests }: EnrolmentGrant) {
  return requests.flatMap(({ spec }) =>
    spec.resources.map((resource) => ({ api: apiName(resource), claims: resource.permissionClaims ?? [] })),
  );
}

function refuseOthersThanBundle(flags: BindFlags): void {
  const contradiction = [
    flags.dryRun !== undefined && flags.dryRun !== 'false' && '--dry-run',
    flags.wait && '--wait',
    flags.showSecrets && '--show-secrets',
    flags.downgradeKonnector && '--downgrade-konnector',
    flags.insecureSkipBackendTlsVerify && '--insecure-skip-backend-tls-verify',
    flags.skipKonnector && flags.konnectorImage && '--skip-konnector with --konnector-image',
    (flags.output === 'table' || flags.output === 'name') && `-o ${flags.output}`,
  ].find(Boolean);
  if (contradiction)
    throw usage(`--bundle prints manifests and changes nothing; it cannot be combined with ${contradiction}.`);
}

function usage(problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', problem);
}
