import { KlutchError } from '@klutch/api';
import { type ClusterConfig, parseKubeconfig } from '@klutch/kube';

/** The place of an app cluster on a control plane, and how to get there. It holds a secret. */
export interface RemoteCluster {
  /** Kubeconfig as text, as it is stored for the konnector. */
  readonly kubeconfig: string;
  readonly config: ClusterConfig;
  /** Address of its API server, byte for byte: with the namespace it is what Secrets are recognised by. */
  readonly host: string;
  readonly namespace: string;
}

/**
 * Reads a kubeconfig of a control plane. It came from elsewhere and is going to be used by the konnector: it may not name
 * commands or files. Throws `KLUTCH_KUBECONFIG_SECRET_INVALID` when it names no namespace, and as `parseKubeconfig` does.
 */
export function readRemote(kubeconfig: string, source: string): RemoteCluster {
  const config = parseKubeconfig(kubeconfig, { source, trust: 'foreign' });
  if (config.namespace) return { kubeconfig, config, host: config.server, namespace: config.namespace };
  const message = `${source}: the current context names no namespace; name it with --remote-namespace, or bind again to get a complete kubeconfig.`;
  throw new KlutchError('KLUTCH_KUBECONFIG_SECRET_INVALID', message);
}

/** The same kubeconfig with another namespace in its current context. Text that is no kubeconfig stays as it is. */
export async function withNamespace(kubeconfig: string, namespace: string): Promise<string> {
  const { isMap, parseDocument } = await import('yaml');
  const document = parseDocument(kubeconfig);
  if (document.errors.length > 0 || !isMap(document.contents)) return kubeconfig;
  const content = document.toJS() as {
    readonly 'current-context'?: string;
    readonly contexts?: readonly { readonly name?: string }[];
  };
  const at = content.contexts?.findIndex(({ name }) => name === content['current-context']) ?? -1;
  if (at < 0) return kubeconfig;
  document.setIn(['contexts', at, 'context', 'namespace'], namespace);
  return document.toString({ lineWidth: 0 });
}
