import { describe, expect, it } from 'vitest';
import { KubeError } from '../errors/kube-error.ts';
import type { Logger } from '../log/logger.ts';
import type { CoreEvent } from '../objects/core.ts';
import { type KubeObject, type ObjectRef, keyOf } from '../objects/meta.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import type { CallOptions, KubeClient, Patch } from '../resources/types.ts';
import { createEventRecorder, type EventRecorderOptions } from './event-recorder.ts';

const object = (name: string, namespace: string | undefined = 'team-a'): KubeObject => ({
  apiVersion: 'anynines.com/v1',
  kind: 'PostgresqlInstance',
  metadata: { name, namespace, uid: `uid-${name}` },
});
const note = (message = 'It works.') => ({ type: 'Normal', reason: 'Ready', message }) as const;

function setup(options: Partial<EventRecorderOptions> = {}) {
  const clock = createManualClock();
  const stop = new AbortController();
  const server = createEventServer();
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message });
  const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const outcomes: string[] = [];
  const recorder = createEventRecorder({
    client: server.client,
    component: 'klutch-konnector',
    instance: 'konnector-0',
    signal: stop.signal,
    clock,
    random: () => 0,
    log,
    metrics: { eventRecorded: (outcome) => void outcomes.push(outcome) },
    ...options,
  });
  return { clock, stop, server, lines, outcomes, recorder };
}

/** Keeps Events in memory; `fail` refuses a request, `failAfter` loses an answer, `hold` and `hang` delay all of them. */
function createEventServer() {
  const events = new Map<string, CoreEvent>();
  const requests: string[] = [];
  const control: {
    fail?: (verb: string, event: string) => unknown;
    failAfter?: () => unknown;
    hold?: Promise<void>;
    hang?: boolean;
  } = {};
  const receive = async (verb: string, key: string, { signal }: CallOptions) => {
    requests.push(`${verb} ${key.replace(/\.[0-9a-f]+$/, '')}`);
    await control.hold;
    if (control.hang) await aborted(signal);
    const error = control.fail?.(verb, key);
    if (error !== undefined) throw error;
  };
  const answer = () => {
    const error = control.failAfter?.();
    if (error !== undefined) throw error;
  };
  const resource = {
    create: async (event: CoreEvent, options: CallOptions) => {
      const key = keyOf(event.metadata as ObjectRef);
      await receive('create', key, options);
      if (events.has(key)) throw new KubeError('KUBE_ALREADY_EXISTS', 'it exists');
      events.set(key, event);
      answer();
      return event;
    },
    patch: async (ref: ObjectRef, patch: Patch, options: CallOptions) => {
      await receive('patch', keyOf(ref), options);
      const known = events.get(keyOf(ref));
      if (known === undefined) throw new KubeError('KUBE_NOT_FOUND', 'no such event');
      const patched = { ...known, ...(patch.patch as object) };
      events.set(keyOf(ref), patched);
      answer();
      return patched;
    },
  };
  const client = { resource: () => resource } as unknown as KubeClient;
  return { client, control, requests, list: () => [...events.values()], clear: () => events.clear() };
}

const aborted = (signal?: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new KubeError('KUBE_ABORTED', 'cancelled')), { once: true });
  });

describe('recording', () => {
  it('writes an event into the namespace of its object', async () => {
    const { recorder, server, outcomes } = setup();
    recorder.event(object('db'), note());

    await recorder.flush();
    expect(server.list()).toMatchObject([
      { metadata: { namespace: 'team-a' }, reason: 'Ready', message: 'It works.', count: 1 },
    ]);
    expect(outcomes).toEqual(['created']);
  });

  it('writes whether or not somebody wants logs and metrics', async () => {
    const { recorder, server } = setup({ metrics: undefined, log: undefined });
    recorder.event(object('db'), note());

    await recorder.flush();
    expect(server.list()).toHaveLength(1);
  });

  it('counts up the same Event when the same happens again', async () => {
    const { clock, recorder, server, outcomes } = setup();
    for (let i = 0; i < 3; i++) {
      recorder.event(object('db'), note());
      await recorder.flush();
      await clock.advance(60_000);
    }

    expect(server.list()).toMatchObject([
      { count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:02:00Z' },
    ]);
    expect(outcomes).toEqual(['created', 'counted', 'counted']);
  });

  it('counts what happens several times before it is written, with one request', async () => {
    const { recorder, server } = setup();
    for (let i = 0; i < 5; i++) recorder.event(object('db'), note());

    await recorder.flush();
    expect(server.list()).toMatchObject([{ count: 5 }]);
    expect(server.requests).toEqual(['create team-a/db']);
  });

  it('writes a new Event when the same happens after the window', async () => {
    const { clock, recorder, server } = setup({ windowMs: 1_000 });
    recorder.event(object('db'), note());
    await recorder.flush();
    await clock.advance(1_001);
    recorder.event(object('db'), note());

    await recorder.flush();
    expect(server.list()).toHaveLength(2);
  });

  it('writes a new Event when the server has removed the old one', async () => {
    const { recorder, server } = setup();
    recorder.event(object('db'), note());
    await recorder.flush();
    server.clear();
    recorder.event(object('db'), note());

    await recorder.flush();
    expect(server.list()).toMatchObject([{ count: 1 }]);
    expect(server.requests).toEqual(['create team-a/db', 'patch team-a/db', 'create team-a/db']);
  });

  it('writes different events of one object one by one', async () => {
    const { recorder, server } = setup();
    for (const message of ['one', 'two', 'three']) recorder.event(object('db'), note(message));

    await recorder.flush();
    expect(server.list().map((event) => event.message)).toEqual(['one', 'two', 'three']);
  });

  it('lets one object have 25 events at once and not one more', async () => {
    const { recorder, server, outcomes } = setup();
    for (let i = 0; i < 30; i++) recorder.event(object('loop'), note(`attempt ${i}`));
    recorder.event(object('other'), note());

    await recorder.flush();
    expect(server.list()).toHaveLength(26);
    expect(outcomes.filter((outcome) => outcome === 'filtered')).toHaveLength(5);
  });
});

describe('failing', () => {
  it.each([
    ['undefined', undefined],
    ['an object without metadata', { apiVersion: 'v1', kind: 'Secret' }],
    ['an object without a name', { apiVersion: 'v1', kind: 'Secret', metadata: {} }],
  ])('does not throw for %s, but says so', async (_what, broken) => {
    const { recorder, lines, server, outcomes } = setup();

    recorder.event(broken as unknown as KubeObject, note());
    await recorder.flush();
    expect(lines).toMatchObject([{ level: 'warn', message: 'event dropped' }]);
    expect(outcomes).toEqual(['dropped']);
    expect(server.requests).toEqual([]);
  });

  it('tries again while the server cannot be reached, and writes each event once', async () => {
    const { clock, recorder, server } = setup();
    let failures = 3;
    server.control.fail = () => (failures-- > 0 ? new KubeError('KUBE_UNREACHABLE', 'refused') : undefined);
    recorder.event(object('a'), note());
    recorder.event(object('b'), note());
    const flushed = recorder.flush();

    await clock.advance(60_000);
    await flushed;
    expect(server.list().map((event) => event.involvedObject.name)).toEqual(['b', 'a']);
  });

  it('adds what happens meanwhile to an event that has to be tried again', async () => {
    const { clock, recorder, server } = setup();
    let isDown = true;
    server.control.fail = () => (isDown ? new KubeError('KUBE_SERVER_ERROR', 'no leader') : undefined);
    recorder.event(object('a'), note());
    await clock.advance(100);
    recorder.event(object('a'), note());

    isDown = false;
    const flushed = recorder.flush();
    await clock.advance(60_000);
    await flushed;
    expect(server.list()).toMatchObject([{ count: 2 }]);
  });

  it('does not count twice when the answer to a request was lost', async () => {
    const { clock, recorder, server } = setup();
    let lostAnswers = 1;
    server.control.failAfter = () => (lostAnswers-- > 0 ? new KubeError('KUBE_TIMEOUT', 'no answer') : undefined);
    recorder.event(object('a'), note());
    await clock.advance(60_000);
    lostAnswers = 1;
    recorder.event(object('a'), note());
    await clock.advance(60_000);

    expect(server.list()).toMatchObject([{ count: 2 }]);
    expect(server.requests).toEqual(['create team-a/a', 'create team-a/a', 'patch team-a/a', 'patch team-a/a']);
  });

  it('does not hold up other events for one that fails again and again, and gives it up', async () => {
    const { clock, recorder, server, outcomes } = setup();
    server.control.fail = (_verb, key) =>
      key.startsWith('bad/') ? new KubeError('KUBE_SERVER_ERROR', 'webhook failed') : undefined;
    recorder.event(object('a', 'bad'), note());
    recorder.event(object('b', 'good'), note());

    await clock.advance(1_000);
    expect(server.list()).toHaveLength(1);
    await clock.advance(600_000);
    await recorder.flush();
    expect(server.requests.filter((request) => request === 'create bad/a')).toHaveLength(12);
    expect(outcomes).toEqual(['created', 'dropped']);
  });

  it.each([
    { code: 'KUBE_FORBIDDEN', level: 'warn', causes: [] },
    { code: 'KUBE_FORBIDDEN', level: 'debug', causes: [{ reason: 'NamespaceTerminating' }] },
    { code: 'KUBE_INVALID', level: 'warn', causes: [] },
    { code: 'KUBE_NOT_FOUND', level: 'warn', causes: [] },
  ] as const)('drops an event refused with $code and logs it as $level', async ({ code, level, causes }) => {
    const { recorder, server, lines } = setup();
    const body = { kind: 'Status', apiVersion: 'v1', details: { causes } } as const;
    server.control.fail = () => new KubeError(code, 'no', { body });
    recorder.event(object('db'), note());

    await recorder.flush();
    expect(server.requests).toEqual(['create team-a/db']);
    expect(lines).toMatchObject([
      { level, message: 'event dropped', fields: { kind: 'PostgresqlInstance', namespace: 'team-a', name: 'db' } },
    ]);
  });

  it('keeps a limited number of events waiting and drops more', async () => {
    const { recorder, server, outcomes } = setup({ maxPending: 2 });
    let release = () => {};
    server.control.hold = new Promise((resolve) => {
      release = resolve;
    });
    for (const name of ['a', 'b', 'c', 'd', 'e']) recorder.event(object(name), note());
    recorder.event(object('a'), note());

    release();
    await recorder.flush();
    expect(server.list().map((event) => event.involvedObject.name)).toEqual(['a', 'b']);
    expect(outcomes.filter((outcome) => outcome === 'dropped')).toHaveLength(3);
  });
});

describe('stopping', () => {
  it('writes what is pending first', async () => {
    const { clock, recorder, server, stop } = setup();
    for (const name of ['a', 'b', 'c']) recorder.event(object(name), note());

    stop.abort();
    await recorder.stopped;
    expect(server.list()).toHaveLength(3);
    expect(clock.timers).toBe(0);
  });

  it('tries each pending event once more when the server is down, without waiting in between', async () => {
    const { clock, recorder, server, stop, outcomes } = setup();
    server.control.fail = () => new KubeError('KUBE_UNREACHABLE', 'refused');
    recorder.event(object('a'), note());
    recorder.event(object('b'), note());
    await clock.advance(0);

    stop.abort();
    await recorder.stopped;
    expect(outcomes).toEqual(['dropped', 'dropped']);
  });

  it('gives up after the drain time when the server does not answer', async () => {
    const { clock, recorder, server, stop, outcomes } = setup({ drainMs: 1_000 });
    server.control.hang = true;
    recorder.event(object('a'), note());
    recorder.event(object('b'), note());
    const flushed = recorder.flush();

    stop.abort();
    await clock.advance(1_000);
    await recorder.stopped;
    await flushed;
    expect(outcomes).toEqual(['dropped', 'dropped']);
  });

  it('drops what comes later, and a flush does not wait', async () => {
    const { recorder, server, stop, outcomes } = setup();
    stop.abort();
    await recorder.stopped;

    recorder.event(object('late'), note());
    await recorder.flush();
    expect(server.requests).toEqual([]);
    expect(outcomes).toEqual(['dropped']);
  });
});
