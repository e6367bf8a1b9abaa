import { describe, expect, it } from 'vitest';
import { type ReplicaWrite, writesWithoutLease } from './leader-writes.ts';

const write = (replica: string, path: string, began: number, ended = began + 1, succeeded = true): ReplicaWrite => ({
  replica,
  path,
  method: 'PATCH',
  began,
  ended,
  succeeded,
});
const lease = (replica: string, at: number, succeeded = true) =>
  write(replica, '/leases/klutch-bind', at, at + 2, succeeded);

describe('writes without the lease', () => {
  it.each<[string, ReplicaWrite[], number]>([
    ['none while the holder writes', [lease('a', 0), write('a', '/x', 5), write('a', '/x', 9)], 0],
    ['none after a hand-over', [lease('a', 0), write('a', '/x', 5), lease('b', 10), write('b', '/x', 15)], 0],
    ['one of a former holder', [lease('a', 0), lease('b', 10), write('a', '/x', 15)], 1],
    ['one of somebody who never held it', [lease('a', 0), write('b', '/x', 5)], 1],
    ['one of somebody who was refused it', [lease('a', 0), lease('b', 3, false), write('b', '/x', 9)], 1],
    [
      'none that was under way when the lease changed hands',
      [lease('a', 0), write('a', '/x', 9, 30), lease('b', 10)],
      0,
    ],
  ])('are %s', (_, writes, count) => {
    expect(writesWithoutLease(writes)).toHaveLength(count);
  });
});
