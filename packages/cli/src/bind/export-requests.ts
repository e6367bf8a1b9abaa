import {
  alternativeExportRequestMetadata,
  apiName,
  type APIServiceExportRequest,
  APIServiceExportRequests,
  type APIServiceExportRequestResponse,
  apiVersion,
  exportRequestMetadata,
  findCondition,
  KlutchError,
} from '@klutch/api';
import { isKubeError, type KubeClient, pause, systemClock } from '@klutch/kube';

export interface ExportRequestOptions {
  readonly namespace: string;
  /** Milliseconds until it is given up. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks the control plane for the APIs of a request and waits until they are exported. Throws `KLUTCH_EXPORT_REQUEST_FAILED`
 * with the reason of the provider, and `KLUTCH_EXPORT_REQUEST_TIMEOUT`. A request that did not come to its end is removed.
 */
export async function requestExport(
  client: KubeClient,
  request: APIServiceExportRequestResponse,
  options: ExportRequestOptions,
): Promise<void> {
  const { namespace, signal } = options;
  signal.throwIfAborted();
  // Not to be aborted: nobody would know whether there is something to remove.
  const created = await createRequest(client, request, namespace);
  const name = created.metadata.name ?? '';
  try {
    await untilFinished(client, created, options);
  } catch (error) {
    // A finished one stays: it says why it failed, and the backend removes it in time.
    if (!isFinished(error)) await removeRequest(client, { namespace, name });
    throw error;
  }
}

/** The APIs of a request, as `<resource>.<group>`. */
export function apisOf({ spec }: Pick<APIServiceExportRequestResponse, 'spec'>): readonly string[] {
  return spec.resources.map(apiName);
}

async function createRequest(
  client: KubeClient,
  { metadata, spec }: APIServiceExportRequestResponse,
  namespace: string,
): Promise<APIServiceExportRequest> {
  const requests = client.resource(APIServiceExportRequests);
  const name = metadata?.name;
  const manifest = (identity: object): APIServiceExportRequest => ({
    apiVersion,
    kind: 'APIServiceExportRequest',
    metadata: { namespace, ...identity },
    spec,
  });
  try {
    return await requests.create(manifest(exportRequestMetadata(name)));
  } catch (error) {
    if (!name || !isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    return requests.create(manifest(alternativeExportRequestMetadata(name)));
  }
}

async function untilFinished(
  client: KubeClient,
  { metadata: { name = '', uid }, spec }: APIServiceExportRequest,
  { namespace, timeoutMs, signal }: ExportRequestOptions,
): Promise<void> {
  const requests = client.resource(APIServiceExportRequests);
  const apis = apisOf({ spec }).join(', ');
  const until = systemClock.now() + timeoutMs;
  for (;;) {
    const found = await requests.find({ namespace, name }, { signal });
    if (found === undefined || found.metadata.uid !== uid) {
      const message = `The request for ${apis} was deleted from the control plane before it was answered. Try again.`;
      throw new KlutchError('KLUTCH_EXPORT_REQUEST_FAILED', message);
    }
    const { phase, terminalMessage, conditions } = found.status ?? {};
    if (phase === 'Succeeded') return;
    const waiting = findCondition(conditions, 'ExportsReady')?.message;
    if (phase === 'Failed') {
      const why = terminalMessage ?? waiting ?? 'it gives no reason';
      throw new KlutchError('KLUTCH_EXPORT_REQUEST_FAILED', `The provider does not export ${apis}: ${sentence(why)}`);
    }
    const left = until - systemClock.now();
    if (left <= 0) {
      const so = waiting ? ` Its last message: ${sentence(waiting)}` : '';
      const message = `The provider did not answer the request for ${apis} within ${timeoutMs / 1_000} s.${so} The request was removed; try again later, or wait longer with --wait-timeout.`;
      throw new KlutchError('KLUTCH_EXPORT_REQUEST_TIMEOUT', message);
    }
    await pause(systemClock, Math.min(pollMs, left), signal);
    signal.throwIfAborted();
  }
}

const pollMs = 500;
const removalMs = 5_000;

/** Also after an interruption, and without hiding what went wrong. */
async function removeRequest(client: KubeClient, ref: { namespace: string; name: string }): Promise<void> {
  await client
    .resource(APIServiceExportRequests)
    .delete(ref, { timeoutMs: removalMs })
    .catch(() => undefined);
}

function isFinished(error: unknown): boolean {
  return error instanceof KlutchError && error.code === 'KLUTCH_EXPORT_REQUEST_FAILED';
}

function sentence(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
