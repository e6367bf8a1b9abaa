import { type ClusterBinding, ClusterBindings, controlPlane as names } from '@klutch/api';
import { isKubeError, type KubeClient, type SharedQuery } from '@klutch/kube';

type Status = NonNullable<ClusterBinding['status']>;

/** The status of the ClusterBinding, of which several parts of a konnector write something each. */
export interface ClusterBindingStatus {
  /** As the control plane has it now. */
  read(signal?: AbortSignal): Promise<ClusterBinding | undefined>;
  /**
   * Writes what `change` makes of the present state, unless that is nothing. Writes follow each other, and whatever others
   * wrote meanwhile is looked at before: `change` may be called several times. Undefined: there is no ClusterBinding.
   */
  update(
    change: (current: ClusterBinding) => Status | undefined,
    signal?: AbortSignal,
  ): Promise<ClusterBinding | undefined>;
}

/** What is watched of it, so that all who do share the watch. */
export function theClusterBinding(namespace: string): SharedQuery<ClusterBinding> {
  return { type: ClusterBindings, namespace, fieldSelector: `metadata.name=${names.clusterBinding}` };
}

/** @param wrote told of each request to write */
export function createClusterBindingStatus(
  client: KubeClient,
  namespace: string,
  wrote: () => void,
): ClusterBindingStatus {
  const clusterBindings = client.resource(ClusterBindings);
  const ref = { namespace, name: names.clusterBinding };
  /** As the last answer had it. */
  let latest: ClusterBinding | undefined;
  let before: Promise<unknown> = Promise.resolve();

  const read = (signal?: AbortSignal) => clusterBindings.find(ref, { signal, timeoutMs, traffic: 'control' });

  async function write(
    change: (current: ClusterBinding) => Status | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ClusterBinding | undefined> {
    for (let tries = 1; ; tries++) {
      latest ??= await read(signal);
      const status = latest && change(latest);
      if (latest === undefined || status === undefined) return latest;
      const { uid, resourceVersion } = latest.metadata;
      const patch = { metadata: { uid, resourceVersion }, status };
      try {
        wrote();
        latest = await clusterBindings.patch(
          ref,
          { type: 'merge', patch },
          { subresource: 'status', signal, timeoutMs, traffic: 'control' },
        );
        return latest;
      } catch (error) {
        latest = undefined;
        if (!isKubeError(error, 'KUBE_CONFLICT') || tries === mostTries) throw error;
      }
    }
  }

  return {
    read,
    update: (change, signal) => {
      const own = before.then(
        () => write(change, signal),
        () => write(change, signal),
      );
      before = own;
      return own;
    },
  };
}

const mostTries = 5;
const timeoutMs = 10_000;
