import { annotations, type CustomResourceDefinition } from '@klutch/api';
import type { KubeClient } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { createCrdLook } from './crd-look.ts';

/** A client whose answers come when the test gives them. */
function setup() {
  const asked: ((crd: Partial<CustomResourceDefinition['metadata']> | undefined) => void)[] = [];
  const client = {
    resource: () => ({
      find: () =>
        new Promise((resolve) => {
          asked.push((metadata) => resolve(metadata && { metadata }));
        }),
    }),
  } as unknown as KubeClient;
  const clock = createManualClock();
  const ask = createCrdLook(client, 'widgets.example.org', clock, 'first');
  return { asked, ask, clock, look: () => ask(clock.now()) };
}

describe('a look at the CRD', () => {
  it.each([
    ['is there', { creationTimestamp: 't', uid: 'first' }, { isAvailable: true, created: 't', isFirst: true }],
    ['is another', { creationTimestamp: 't', uid: 'second' }, { isAvailable: true, created: 't', isFirst: false }],
    [
      'says since when it is there',
      { uid: 'second', annotations: { [annotations.crdStamp]: 'second epoch-01:7' } },
      { isAvailable: true, isFirst: false, stamp: 'epoch-01:7' },
    ],
    [
      'repeats what another said',
      { uid: 'second', annotations: { [annotations.crdStamp]: 'first epoch-01:7' } },
      { isAvailable: true, isFirst: false },
    ],
    [
      'is going',
      { creationTimestamp: 't', deletionTimestamp: 'u' },
      { isAvailable: false, created: 't', isFirst: false },
    ],
    ['is gone', undefined, { isAvailable: false, created: undefined, isFirst: false }],
  ])('tells that it %s', async (_, metadata, expected) => {
    const { asked, look } = setup();
    const answer = look();
    asked[0]?.(metadata);
    expect(await answer).toEqual(expected);
  });

  it('never gives an answer that is older than the question, and shares one between many', async () => {
    const { asked, look } = setup();
    const first = look();
    const later = [look(), look(), look()];
    expect(asked).toHaveLength(1);
    asked[0]?.({ creationTimestamp: 'old' });
    expect((await first).created).toBe('old');
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    asked[1]?.({ creationTimestamp: 'new' });
    expect((await Promise.all(later)).map(({ created }) => created)).toEqual(['new', 'new', 'new']);
  });

  it('serves everything that was seen before it began', async () => {
    const { asked, ask, clock } = setup();
    await clock.advance(100);
    const first = ask(50);
    asked[0]?.({ creationTimestamp: 't' });
    await first;
    await clock.advance(100);
    expect((await ask(99)).created).toBe('t');
    expect(asked).toHaveLength(1);
    void ask(100);
    expect(asked).toHaveLength(2);
  });

  it('that failed is not passed on', async () => {
    let failures = 1;
    const find = async () => {
      if (failures-- > 0) throw new Error('away');
      return undefined;
    };
    const look = createCrdLook(
      { resource: () => ({ find }) } as unknown as KubeClient,
      'x',
      { now: () => 5 },
      undefined,
    );
    await expect(look(0)).rejects.toThrow('away');
    expect(await look(0)).toEqual({ isAvailable: false, isFirst: false });
  });
});
