import { createHash } from 'node:crypto';
import { annotations, labels } from '@klutch/api';
import { type Clock, isKubeError, type KubeClient, type Lease, Leases } from '@klutch/kube';
import { leaseTimes } from './used-tickets.ts';

/** A text that all replicas share. */
export interface DeviceMark {
  readonly text: string;
  /** By which it is told whether it has changed since. */
  readonly version: string;
}

/** Keeps one text for each user code, for all replicas together. */
export interface DeviceMarks {
  find(userCode: string): Promise<DeviceMark | undefined>;
  /**
   * Keeps a text until the given time, in place of the version that was read, or as the first one. False when somebody else
   * wrote in between.
   */
  store(userCode: string, text: string, expiresAt: Date, version?: string): Promise<boolean>;
}

/** Keeps the texts in Leases of the backend's own namespace. They are removed with the marks of used tickets. */
export function createDeviceMarks(client: KubeClient, namespace: string, clock: Pick<Clock, 'date'>): DeviceMarks {
  const leases = client.resource(Leases);
  return {
    find: async (userCode) => {
      const { metadata } = (await leases.find({ name: nameOf(userCode), namespace })) ?? {};
      const text = metadata?.annotations?.[annotations.deviceLogin];
      return text === undefined ? undefined : { text, version: metadata?.resourceVersion ?? '' };
    },
    store: async (userCode, text, expiresAt, version) => {
      const lease: Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          name: nameOf(userCode),
          namespace,
          labels: { [labels.ticket]: 'device' },
          annotations: { [annotations.deviceLogin]: text },
          ...(version !== undefined && { resourceVersion: version }),
        },
        spec: { holderIdentity: 'device', ...leaseTimes(clock.date(), expiresAt) },
      };
      try {
        await (version === undefined ? leases.create(lease) : leases.replace(lease));
        return true;
      } catch (error) {
        if (isKubeError(error, 'KUBE_ALREADY_EXISTS', 'KUBE_CONFLICT', 'KUBE_NOT_FOUND')) return false;
        throw error;
      }
    },
  };
}

function nameOf(userCode: string): string {
  return `klutch-device-${createHash('sha256').update(userCode).digest('hex').slice(0, 40)}`;
}
