import { connect, type KubeClient, userAgentOf } from '@klutch/kube';
import { clusterConfig } from '../../cluster/cluster-config.ts';
import { packageVersion } from '../../package-version.ts';
import type { ControlPlaneFlags } from '../backend-operations.ts';

/** The control plane that flags name. */
export interface ControlPlane {
  readonly client: KubeClient;
  /** Where it is and how it was chosen, for people. */
  readonly name: string;
  close(): Promise<void>;
}

/** Connects to the control plane. Close it. Nothing is sent yet. */
export async function openControlPlane(flags: ControlPlaneFlags, env: NodeJS.ProcessEnv): Promise<ControlPlane> {
  const config = await clusterConfig(flags, env);
  const client = connect(config, { userAgent: userAgentOf('klutch-cli', await packageVersion()) });
  const as = config.impersonate ? `, as ${config.impersonate.user}` : '';
  return { client, name: `${config.server} (${config.source}${as})`, close: () => client.close() };
}
