import { describe, expect, it } from 'vitest';
import { createMemory } from './memory.ts';

describe('memory', () => {
  it('is empty for a key of which nothing is known, and takes no room for it', () => {
    const memory = createMemory();
    expect(memory.of('a')).toEqual({});
    memory.change('a', { announced: undefined });
    expect(memory.size).toBe(0);
  });

  it('keeps what is not mentioned and drops what becomes undefined', () => {
    const memory = createMemory();
    memory.change('a', { changedUp: 1, announced: 'x' });
    memory.change('a', { announced: undefined });
    expect(memory.of('a')).toEqual({ changedUp: 1 });
    memory.change('a', { changedUp: undefined });
    expect(memory.size).toBe(0);
  });

  it('forgets', () => {
    const memory = createMemory();
    memory.change('a', { changedUp: 1 });
    memory.forget('a');
    expect([...memory.entries()]).toEqual([]);
  });
});
