import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeap, type HeapNode } from './heap.ts';

interface Member {
  readonly id: number;
  rank: number;
}

const command = fc.oneof(
  fc.record({ do: fc.constant('push' as const), rank: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('move' as const), at: fc.nat(), rank: fc.integer({ min: 0, max: 20 }) }),
);

describe('heap', () => {
  it('is empty at first', () => {
    const heap = createHeap<number>((a, b) => a < b);

    expect(heap.size).toBe(0);
    expect(heap.peek()).toBeUndefined();
  });

  it('always offers the first of its members, whatever was pushed, moved and removed', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60, size: 'max' }), (commands) => {
        const heap = createHeap<Member>((a, b) => a.rank < b.rank);
        const members: HeapNode<Member>[] = [];
        commands.forEach((step, id) => {
          const at = step.do === 'push' ? 0 : step.at % Math.max(1, members.length);
          const node = members[at];
          if (step.do === 'push') members.push(heap.push({ id, rank: step.rank }));
          else if (node === undefined) return;
          else if (step.do === 'remove') {
            heap.remove(node);
            members.splice(at, 1);
          } else {
            node.value.rank = step.rank;
            heap.moved(node);
          }
          expect(heap.size).toBe(members.length);
          if (members.length === 0) expect(heap.peek()).toBeUndefined();
          else expect(heap.peek()?.rank).toBe(Math.min(...members.map((member) => member.value.rank)));
        });
      }),
    );
  });
});
