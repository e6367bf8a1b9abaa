import { type Logger, silentLogger } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { follow, type FollowOptions } from './follow.ts';

function setup(more: Partial<FollowOptions<string>> = {}) {
  const clock = createManualClock();
  const stop = new AbortController();
  const file: { content: string | Error } = { content: 'a' };
  const read = async () => {
    if (file.content instanceof Error) throw file.content;
    return file.content;
  };
  const followed = follow(
    { value: 'a', read },
    {
      what: 'key',
      everyMs: 1_000,
      clock,
      log: silentLogger,
      signal: stop.signal,
      isSame: (one, other) => one === other,
      ...more,
    },
  );
  onTestFinished(async () => {
    stop.abort();
    await followed.stopped;
  });
  return { clock, file, followed };
}

describe('a value that is followed', () => {
  it('is read again after a while, and remembers what it was before', async () => {
    const { clock, file, followed } = setup();
    file.content = 'b';
    expect([followed.current(), followed.previous()]).toEqual(['a', undefined]);

    await clock.advance(1_000);

    expect([followed.current(), followed.previous()]).toEqual(['b', 'a']);
  });

  it('is read at once when somebody asks', async () => {
    const { file, followed } = setup();

    expect(await followed.refresh()).toBe(false);
    file.content = 'b';
    expect(await followed.refresh()).toBe(true);
    expect(followed.current()).toBe('b');
  });

  it('stays while it cannot be read or used, and the log says so once', async () => {
    const warnings: string[] = [];
    const log: Logger = { ...silentLogger, warn: (fields) => void warnings.push(JSON.stringify(fields)) };
    const onChange = (value: string) => {
      if (value === 'bad') throw new Error('no key');
    };
    const { file, followed } = setup({ log, onChange });

    for (const content of [new Error('cannot be read'), new Error('cannot be read'), 'bad', 'bad']) {
      file.content = content;
      expect(await followed.refresh()).toBe(false);
    }

    expect([followed.current(), followed.previous()]).toEqual(['a', undefined]);
    expect(warnings).toEqual(['{"what":"key","reason":"cannot be read"}', '{"what":"key","reason":"no key"}']);
  });

  it('never changes when it cannot be read again', async () => {
    const fixed = follow(
      { value: 'a' },
      {
        what: 'key',
        everyMs: 1,
        clock: createManualClock(),
        log: silentLogger,
        signal: new AbortController().signal,
        isSame: () => false,
      },
    );

    await fixed.stopped;
    expect(await fixed.refresh()).toBe(false);
  });
});
