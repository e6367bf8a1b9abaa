import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { sampleExport, servedCrd } from './schema.fixture.ts';
import { createWatchRenewal } from './watch-renewal.ts';

const crd = (generation: number, uid = 'crd-uid') => servedCrd(sampleExport(), { generation, uid });

describe('watches of an API', () => {
  function world() {
    const clock = createManualClock();
    const renewal = createWatchRenewal(clock);
    return { clock, look: (generation: number, uid?: string) => renewal.of('a', crd(generation, uid)) };
  }

  it('go on as long as the CRD stays', async () => {
    const { clock, look } = world();
    const first = look(1);
    await clock.advance(100_000);

    expect(first.nextMs).toBeUndefined();
    expect(look(1)).toEqual(first);
  });

  it('begin anew soon after a change, and once more when every API server must know', async () => {
    const { clock, look } = world();
    const tokens = [look(1).token];

    expect(look(2)).toEqual({ token: tokens[0], nextMs: 2_000 });
    await clock.advance(2_000);
    tokens.push(look(2).token);
    expect(look(2).nextMs).toBe(28_000);
    await clock.advance(28_000);
    tokens.push(look(2).token);

    expect(look(2).nextMs).toBeUndefined();
    expect(new Set(tokens).size).toBe(3);
  });

  it('wait for the last of several changes', async () => {
    const { clock, look } = world();
    const { token } = look(1);
    look(2);
    await clock.advance(1_500);

    expect(look(3)).toEqual({ token, nextMs: 2_000 });
    await clock.advance(1_000);
    expect(look(3)).toEqual({ token, nextMs: 1_000 });
  });

  it('are not disturbed by a CRD that was created again', () => {
    const { look } = world();
    const first = look(3);

    expect(look(1, 'another-uid')).toEqual(first);
  });
});
