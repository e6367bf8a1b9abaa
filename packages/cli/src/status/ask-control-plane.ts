import { APIServiceExports, ClusterBindings, controlPlane } from '@klutch/api';
import { throughProxy } from '@klutch/api/contract';
import { connect, type TransportOptions } from '@klutch/kube';
import type { Connection } from '../connections/find-connections.ts';
import type { Report } from './status-of.ts';

const timeoutMs = 10_000;

/** Asks the control plane, with the credential of the konnector, what it knows about this app cluster. Never rejects. */
export async function askControlPlane(
  { config, problem }: Connection,
  options: { readonly userAgent: TransportOptions['userAgent']; readonly signal?: AbortSignal },
): Promise<Report> {
  if (config === undefined) return { problem: problem ?? 'no kubeconfig' };
  const client = connect(throughProxy(config, process.env), { userAgent: options.userAgent });
  try {
    const { namespace = '' } = config;
    const { signal } = options;
    const ref = { namespace, name: controlPlane.clusterBinding };
    const [clusterBinding, exports] = await Promise.all([
      client.resource(ClusterBindings).get(ref, { signal, timeoutMs }),
      client.resource(APIServiceExports).list({ namespace, signal, timeoutMs }),
    ]);
    return { clusterBinding, exports: exports.items.map(({ metadata }) => metadata.name ?? '') };
  } catch (error) {
    return { problem: `The control plane does not answer: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    await client.close();
  }
}
