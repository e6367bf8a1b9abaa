import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConnectionEvent, type ConnectionState, initialState, next } from './connection-state.ts';

const here = { is: 'ok', identity: 'here' } as const;
const elsewhere = { is: 'ok', identity: 'elsewhere' } as const;
const silent = { is: 'unreachable', problem: 'No answer.' } as const;
const unwanted = { is: 'rejected', problem: 'Who are you?' } as const;

const wanted = (fingerprint?: string): ConnectionEvent => ({ type: 'wanted', fingerprint });
const tried = (fingerprint: string, answer: typeof here | typeof elsewhere | typeof silent | typeof unwanted) =>
  ({ type: 'tried', fingerprint, answer }) as const;
const checked = (answer: typeof here | typeof elsewhere | typeof silent | typeof unwanted) =>
  ({ type: 'checked', answer }) as const;

function after(...events: ConnectionEvent[]): { state: ConnectionState; actions: string[] } {
  let state = initialState;
  const actions: string[] = [];
  for (const event of events) {
    const result = next(state, event);
    state = result.state;
    actions.push(result.action);
  }
  return { state, actions };
}

const connected = [wanted('a'), tried('a', here)];

describe('the life of a connection', () => {
  it.each<[string, ConnectionEvent[], Partial<ConnectionState>, string]>([
    ['begins without a kubeconfig', [wanted()], { phase: 'waiting', health: { state: 'no-kubeconfig' } }, 'nothing'],
    ['tries one that is there', [wanted('a')], { phase: 'probing' }, 'nothing'],
    ['works when the cluster answers', connected, { phase: 'active', health: { state: 'up' } }, 'start'],
    [
      'does not work while the cluster is silent',
      [wanted('a'), tried('a', silent)],
      { phase: 'probing', health: { state: 'down', cause: 'unreachable', problem: 'No answer.' } },
      'nothing',
    ],
    ['survives one silence', [...connected, checked(silent)], { phase: 'active', health: { state: 'up' } }, 'nothing'],
    [
      'is down after two',
      [...connected, checked(silent), checked(unwanted)],
      { phase: 'unreachable', health: { state: 'down', cause: 'rejected', problem: 'Who are you?' } },
      'nothing',
    ],
    [
      'comes back',
      [...connected, checked(silent), checked(silent), checked(here)],
      { phase: 'active', health: { state: 'up' }, failures: 0 },
      'recovered',
    ],
    [
      'changes credentials under the work',
      [...connected, wanted('b'), tried('b', here)],
      { phase: 'active', inUse: { fingerprint: 'b', identity: 'here' } },
      'exchange',
    ],
    [
      'keeps the old kubeconfig when the new one does not work',
      [...connected, wanted('b'), tried('b', unwanted)],
      {
        phase: 'active',
        inUse: { fingerprint: 'a', identity: 'here' },
        refused: { fingerprint: 'b', problem: 'Who are you?', isCertain: true },
      },
      'nothing',
    ],
    [
      'forgets a refusal when the old kubeconfig is back',
      [...connected, wanted('b'), tried('b', unwanted), wanted('a')],
      { phase: 'active' },
      'nothing',
    ],
    ['keeps what it has when the Secret vanishes', [...connected, wanted()], { phase: 'active' }, 'nothing'],
    [
      'ends everything before it goes to another place',
      [...connected, wanted('b'), tried('b', elsewhere)],
      { phase: 'switching' },
      'end',
    ],
    [
      'ends everything when the tenant behind the same kubeconfig is another one',
      [...connected, checked(elsewhere)],
      { phase: 'switching' },
      'end',
    ],
    [
      'begins anew when all has ended',
      [...connected, checked(elsewhere), { type: 'ended' }, tried('a', elsewhere)],
      { phase: 'active', inUse: { fingerprint: 'a', identity: 'elsewhere' } },
      'start',
    ],
    ['ends the work on a stop', [...connected, { type: 'stop' }], { phase: 'stopped' }, 'end'],
    ['has nothing to end when nothing ran', [wanted('a'), { type: 'stop' }], { phase: 'stopped' }, 'nothing'],
    ['stays stopped', [{ type: 'stop' }, wanted('a'), tried('a', here)], { phase: 'stopped' }, 'nothing'],
  ])('%s', (_, events, state, action) => {
    const result = after(...events);

    expect(result.state).toMatchObject(state);
    expect(result.actions.at(-1)).toBe(action);
  });

  it('says nothing of a kubeconfig that is no longer in question', () => {
    expect(after(...connected, wanted('b'), tried('b', here)).state.refused).toBeUndefined();
    expect(after(...connected, wanted('b'), tried('b', unwanted), wanted('a')).state.refused).toBeUndefined();
    expect(after(...connected, checked(elsewhere)).state.inUse).toBeUndefined();
  });

  it('blames a silent kubeconfig only when the one in use works', () => {
    const silence = [...connected, wanted('b'), tried('b', silent)];

    expect(after(...silence).state.refused?.isCertain).toBe(false);
    expect(after(...silence, checked(here)).state.refused?.isCertain).toBe(true);
    expect(after(...silence, checked(silent)).state.refused).toBeUndefined();
  });

  it('never starts work before the work before it was told to end', () => {
    const answer = fc.constantFrom(here, elsewhere, silent, unwanted);
    const fingerprint = fc.constantFrom('a', 'b');
    const event: fc.Arbitrary<ConnectionEvent> = fc.oneof(
      fc.record({ type: fc.constant('wanted' as const), fingerprint: fc.option(fingerprint, { nil: undefined }) }),
      fc.record({ type: fc.constant('tried' as const), fingerprint, answer }),
      fc.record({ type: fc.constant('checked' as const), answer }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let isWorking = false;
        for (const action of after(...events).actions) {
          if (action === 'start') expect(isWorking).toBe(false);
          if (action === 'exchange' || action === 'end') expect(isWorking).toBe(true);
          if (action === 'start') isWorking = true;
          if (action === 'end') isWorking = false;
        }
      }),
    );
  });
});
