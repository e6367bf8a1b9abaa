import { type ClusterBinding, ConditionType, findCondition } from '@klutch/api';
import { KubeError, silentLogger } from '@klutch/kube';
import { createManualClock, type ManualClock } from '@klutch/kube/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClusterBindingStatus } from '../heartbeat/cluster-binding-status.ts';
import { runStatusLine } from './status-line.ts';

const hour = 3_600_000;

/** A control plane that keeps a ClusterBinding, and refuses what it is told to. */
function controlPlane() {
  let stored: ClusterBinding = {
    apiVersion: 'klutch.anynines.com/v1alpha1',
    kind: 'ClusterBinding',
    metadata: { name: 'cluster', namespace: 'cluster-a' },
    spec: { kubeconfigSecretRef: { name: 'kubeconfig', key: 'kubeconfig' }, providerPrettyName: 'P' },
  };
  const counts = { reads: 0, writes: 0 };
  const refuses = { reads: false, writes: false };
  const status: ClusterBindingStatus = {
    read: async () => {
      counts.reads += 1;
      if (refuses.reads) throw new KubeError('KUBE_UNREACHABLE', 'away');
      return stored;
    },
    update: async (change) => {
      if (refuses.writes) throw new KubeError('KUBE_FORBIDDEN', 'refused', { status: 403 });
      counts.writes += 1;
      stored = { ...stored, status: { ...stored.status, ...change(stored) } };
      return stored;
    },
  };
  const mark = () => findCondition(stored.status?.conditions, ConditionType.HistoryMarked)?.message;
  const restore = (backup: ClusterBinding) => {
    stored = backup;
  };
  return { status, counts, refuses, mark, backup: () => stored, restore };
}

function follow({ status }: Pick<ReturnType<typeof controlPlane>, 'status'>, clock: ManualClock) {
  const stop = new AbortController();
  let lists = 0;
  const returns = [() => {}, () => {}];
  const line = runStatusLine({
    status,
    relist: async () => {
      lists += 1;
    },
    returns: returns.map((_, index) => (returned) => {
      returns[index] = returned;
      return () => {};
    }),
    clock,
    log: silentLogger,
    signal: stop.signal,
  });
  const end = async () => {
    stop.abort();
    await line.stopped;
  };
  onTestFinished(end);
  return { line, end, lists: () => lists, recover: () => returns[0]?.(), reopen: () => returns[1]?.() };
}

describe('the line of a control plane', () => {
  it.each<['reads' | 'writes', string]>([
    ['writes', 'refuses every heartbeat and every mark'],
    ['reads', 'is away'],
  ])('goes on after an hour in which the control plane refused %s: it %s', async (what) => {
    const clock = createManualClock();
    const plane = controlPlane();
    const { line, lists } = follow(plane, clock);
    await line.ready;
    const stamp = await line.reserve();

    plane.refuses[what] = true;
    line.touch();
    await clock.advance(hour);
    expect(line.judge(stamp)).toBe('here');
    plane.refuses[what] = false;
    await clock.advance(5_000);

    expect(await line.confirm(stamp, line.timesSetBack())).toBe(true);
    expect(await line.reserve()).not.toBe(stamp);
    expect(line.judge(stamp)).toBe('here');
    expect([line.timesSetBack(), lists()]).toEqual([0, 0]);
  });

  it('is the same for a konnector whose clock is ten minutes behind the one before', async () => {
    const plane = controlPlane();
    const first = follow(plane, createManualClock(new Date('2026-01-01T12:00:00Z')));
    const stamp = await first.line.reserve();
    await first.end();

    const { line } = follow(plane, createManualClock(new Date('2026-01-01T11:50:00Z')));
    await line.ready;
    expect(line.judge(stamp)).toBe('here');
    expect(await line.confirm(stamp, line.timesSetBack())).toBe(true);
  });

  it('asks for nothing and writes nothing while nothing is written there, and once after that', async () => {
    const clock = createManualClock();
    const plane = controlPlane();
    const { line } = follow(plane, clock);
    await line.ready;
    await clock.advance(hour);
    expect(plane.counts).toEqual({ reads: 1, writes: 0 });

    line.touch();
    line.touch();
    await clock.advance(hour);
    expect(plane.counts.writes).toBe(1);
    expect(plane.mark()).toMatch(/:1$/);
  });

  it.each<[string, 'recover' | 'reopen']>([
    ['the connection recovers', 'recover'],
    ['a watch is opened again', 'reopen'],
  ])(
    'notices a control plane that came out of a backup at once when %s, and has it listed once',
    async (_, returns) => {
      const clock = createManualClock();
      const plane = controlPlane();
      const { line, lists, ...happens } = follow(plane, clock);
      await line.ready;
      const kept = await line.reserve();
      const backup = plane.backup();
      const lost = await line.reserve();

      plane.restore(backup);
      happens[returns]();
      await clock.advance(0);
      expect([line.timesSetBack(), lists()]).toEqual([1, 1]);
      expect([line.judge(kept), line.judge(lost)]).toEqual(['here', 'elsewhere']);
      await clock.advance(hour);
      expect([line.timesSetBack(), lists()]).toEqual([1, 1]);
      expect(line.judge(await line.reserve())).toBe('here');
    },
  );
});
