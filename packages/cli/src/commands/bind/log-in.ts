import { type APIServiceExportRequestResponse, apiName, KlutchError } from '@klutch/api';
import { type BindRequest, type ContractClient } from '@klutch/api/contract';
import type { BindingProvider } from '@klutch/api';
import { type ClientCredentials, fetchToken, withScope } from '../../bind/client-credentials.ts';
import type { HttpSettings } from '../../bind/http-call.ts';
import { type Login, type LoginOptions, loginWithBrowser, loginWithDeviceCode } from '../../bind/login.ts';
import type { LoginPurpose } from '../../bind/login-purpose.ts';
import { browserCommand, openBrowser } from '../../bind/open-browser.ts';
import type { ClusterIdentity } from '../../cluster/app-cluster.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { BindFlags } from '../bind.ts';
import type { LoginFlags } from '../login-flags.ts';

/** What a login needs, whatever it is for. */
export interface LogInOptions<T> {
  readonly purpose: LoginPurpose<T>;
  readonly flags: LoginFlags & Pick<BindFlags, 'api' | 'insecureHttp'>;
  readonly env: NodeJS.ProcessEnv;
  readonly backend: ContractClient;
  readonly provider: BindingProvider;
  /** The app cluster as the provider will know it. */
  readonly identity: ClusterIdentity;
  readonly apis: BindRequest['apis'];
  /** Of a machine; undefined for persons. */
  readonly credentials?: ClientCredentials;
  readonly http: HttpSettings;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Logs in as the flags say: as a machine, with a code, or with a browser. Close it. */
export async function logIn<T>(options: LogInOptions<T>): Promise<Login<T>> {
  const { purpose, flags, backend, identity, apis, credentials, http, progress, signal } = options;
  const request: BindRequest = {
    clusterID: identity.id,
    clusterUID: identity.fingerprint,
    apis,
    tenant: flags.tenant,
    enrolmentSeconds: purpose.enrolmentSeconds,
    evict: purpose.evict,
  };
  if (credentials !== undefined) {
    const token = await fetchToken(credentials, http, signal);
    const response = await progress
      .during('Logging in as a machine', () => purpose.machine(backend, request, { token, signal }))
      .catch((error: unknown) => {
        throw withScope(error, credentials.scope);
      });
    return { response, close: async () => undefined };
  }
  if (!flags.deviceCode) return loginWithBrowser(loginOptions(options));
  return { response: await loginWithDeviceCode(loginOptions(options), request), close: async () => undefined };
}

function loginOptions<T>(options: LogInOptions<T>): LoginOptions<T> {
  const { purpose, flags, env, backend, provider, identity, progress, signal } = options;
  return {
    purpose,
    backend,
    provider,
    identity,
    apis: flags.api ?? [],
    progress,
    signal,
    timeoutMs: flags.loginTimeout ?? 600_000,
    insecureHttp: flags.insecureHttp,
    openBrowser: async (address) => {
      const command = flags.browser === false ? undefined : browserCommand(address, process.platform, env);
      return command === undefined ? false : openBrowser(command);
    },
  };
}

/** What was asked for by name has to come, whatever was ticked besides. */
export function refuseOthers(
  requests: readonly APIServiceExportRequestResponse[],
  apis: LogInOptions<unknown>['apis'],
): void {
  const got = new Set(requests.flatMap(({ spec }) => spec.resources.map(apiName)));
  const missing = apis.map(apiName).filter((api) => !got.has(api));
  if (missing.length === 0) return;
  throw new KlutchError(
    'KLUTCH_API_NOT_OFFERED',
    `The provider did not give ${missing.join(', ')}; choose it in the catalogue, or ask the operator whether it is offered.`,
  );
}
