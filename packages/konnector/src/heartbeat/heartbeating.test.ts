import { describe, expect, it } from 'vitest';
import type { LinkHealth } from '../link/connection-state.ts';
import { type Beat, heartbeating } from './heartbeating.ts';

const up: LinkHealth = { state: 'up' };
const down = (cause: 'unreachable' | 'rejected' | 'missing'): LinkHealth => ({
  state: 'down',
  cause,
  problem: 'Alas.',
});
const arrived: Beat = { is: 'arrived' };

describe('what a binding says about its control plane', () => {
  it.each<[string, LinkHealth, Beat | undefined, string | undefined]>([
    ['nothing before it was tried', { state: 'unknown' }, undefined, undefined],
    ['nothing before the first heartbeat', up, undefined, undefined],
    ['that all is well', up, arrived, 'True'],
    ['that there is no kubeconfig', { state: 'no-kubeconfig' }, undefined, 'ControlPlaneUnreachable'],
    ['that it is away', down('unreachable'), undefined, 'ControlPlaneUnreachable'],
    ['that it is away although the last heartbeat arrived', down('unreachable'), arrived, 'ControlPlaneUnreachable'],
    ['that it does not want us', down('rejected'), arrived, 'CredentialsRejected'],
    ['that it does not know us', down('missing'), arrived, 'ClusterBindingNotFound'],
    ['that the heartbeat failed', up, { is: 'failed', problem: 'No.' }, 'ClusterBindingUpdateFailed'],
    ['that nobody listens', up, { is: 'nobody-there', problem: 'No.' }, 'ClusterBindingNotFound'],
  ])('%s', (_, health, beat, expected) => {
    const state = heartbeating(health, beat);

    expect(state?.reason ?? state?.status).toBe(expected);
    if (state?.status === 'False') expect(state).toMatchObject({ type: 'Heartbeating', severity: 'Warning' });
  });
});
