import { parseKubeconfig, renderKubeconfig, silentLogger, type Transport } from '@klutch/kube';
import { createManualClock, eventually } from '@klutch/kube/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { Kubeconfig } from '../bindings/kubeconfig-of.ts';
import type { ConnectionState } from './connection-state.ts';
import type { ProbeAnswer } from './probe.ts';
import { runConnection, type Session } from './run-connection.ts';

function kubeconfig(token: string, server = 'https://cp.example'): Kubeconfig {
  const text = renderKubeconfig({ server, namespace: 'cluster-a', user: { token } });
  return { config: parseKubeconfig(text, { source: 'test', trust: 'foreign' }), fingerprint: `${server} ${token}` };
}

const ok = (uid: string): ProbeAnswer => ({ is: 'ok', uid });
const silent: ProbeAnswer = { is: 'unreachable', problem: 'No answer.' };

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A connection to clusters that answer as the test says. */
function open() {
  const clock = createManualClock();
  const stop = new AbortController();
  const answers = new Map<string, ProbeAnswer>();
  const states: ConnectionState[] = [];
  const sessions: { session: Session; isOver: boolean; recoveries: number }[] = [];
  const opened: { token: string; isClosed: boolean }[] = [];
  const connection = runConnection({
    open: ({ fingerprint, config }) => {
      const entry = { token: fingerprint, isClosed: false };
      opened.push(entry);
      return {
        server: config.server,
        send: () => Promise.reject(new Error('not used')),
        json: () => Promise.reject(new Error('not used')),
        close: async () => {
          entry.isClosed = true;
        },
      } satisfies Transport;
    },
    probe: async (_client, { fingerprint }) => answers.get(fingerprint) ?? silent,
    identityOf: ({ config }, uid) => `${config.server} ${uid}`,
    work: async (session) => {
      const entry = { session, isOver: false, recoveries: 0 };
      sessions.push(entry);
      session.onRecovered(() => {
        entry.recoveries += 1;
      });
      await new Promise<void>((resolve) => session.signal.addEventListener('abort', () => resolve(), { once: true }));
      entry.isOver = true;
    },
    changed: (state) => states.push(state),
    clock,
    log: silentLogger,
    signal: stop.signal,
  });
  ends.push(async () => {
    stop.abort();
    await connection.stopped;
  });
  const phase = (wanted: string) => eventually(() => connection.state().phase === wanted);
  return { clock, stop, answers, states, sessions, opened, connection, phase };
}

describe('a connection', () => {
  it('KON-53 works as soon as a cluster that was away answers', async () => {
    const { clock, answers, sessions, connection, phase } = open();
    connection.want(kubeconfig('a'));
    await phase('probing');
    await eventually(() => connection.state().health.state === 'down');
    expect(sessions).toHaveLength(0);

    answers.set(kubeconfig('a').fingerprint, ok('1'));
    await clock.advance(1_000);
    await phase('active');
    expect(sessions.map(({ session }) => session.uid)).toEqual(['1']);
  });

  it('shows an outage within fifteen seconds, and the end of it within two', async () => {
    const { clock, answers, sessions, connection, phase } = open();
    const a = kubeconfig('a');
    answers.set(a.fingerprint, ok('1'));
    connection.want(a);
    await phase('active');
    await eventually(() => clock.timers === 1);

    answers.set(a.fingerprint, silent);
    await clock.advance(9_000);
    expect(connection.state().health).toMatchObject({ state: 'down', cause: 'unreachable' });
    answers.set(a.fingerprint, ok('1'));
    await clock.advance(2_000);

    expect(connection.state().health).toEqual({ state: 'up' });
    expect(sessions).toMatchObject([{ isOver: false, recoveries: 1 }]);
  });

  it('KON-55 exchanges credentials under the work', async () => {
    const { answers, sessions, opened, connection, phase } = open();
    const [a, b] = [kubeconfig('a'), kubeconfig('b')];
    for (const one of [a, b]) answers.set(one.fingerprint, ok('1'));
    connection.want(a);
    await phase('active');

    connection.want(b);
    await eventually(() => connection.state().inUse?.fingerprint === b.fingerprint);

    await eventually(() => sessions[0]?.recoveries === 1);
    expect(sessions).toMatchObject([{ isOver: false }]);
    expect(opened).toEqual([
      { token: a.fingerprint, isClosed: true },
      { token: b.fingerprint, isClosed: false },
    ]);
  });

  it('KON-55 goes on with the old kubeconfig while the new one does not work, and takes it when it does', async () => {
    const { clock, answers, sessions, opened, connection, phase } = open();
    const [a, b] = [kubeconfig('a'), kubeconfig('b')];
    answers.set(a.fingerprint, ok('1'));
    connection.want(a);
    await phase('active');

    connection.want(b);
    await eventually(() => connection.state().refused?.isCertain);
    expect(sessions).toMatchObject([{ isOver: false }]);
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, true]);
    await eventually(() => clock.timers === 1);
    answers.set(b.fingerprint, ok('1'));
    await clock.advance(5_000);

    await eventually(() => connection.state().inUse?.fingerprint === b.fingerprint);
    expect(connection.state().refused).toBeUndefined();
  });

  it('KON-55 ends all work before it begins with another tenant', async () => {
    const { answers, sessions, connection, phase } = open();
    const [a, b] = [kubeconfig('a'), kubeconfig('b', 'https://other.example')];
    answers.set(a.fingerprint, ok('1'));
    answers.set(b.fingerprint, ok('2'));
    connection.want(a);
    await phase('active');

    connection.want(b);
    await eventually(() => sessions.length === 2);

    expect(sessions).toMatchObject([
      { isOver: true, session: { uid: '1' } },
      { isOver: false, session: { uid: '2' } },
    ]);
  });

  it('ends its work when it is stopped', async () => {
    const { answers, sessions, opened, stop, connection, phase } = open();
    const a = kubeconfig('a');
    answers.set(a.fingerprint, ok('1'));
    connection.want(a);
    await phase('active');

    stop.abort();
    await connection.stopped;

    expect(sessions).toMatchObject([{ isOver: true }]);
    expect(opened.every(({ isClosed }) => isClosed)).toBe(true);
    expect(connection.state().phase).toBe('stopped');
  });
});
