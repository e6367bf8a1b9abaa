import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { LearningCache } from './learning-cache.ts';

/** What may happen. `of` chooses the object; `answered`: how many steps later the answer to an own write is taken in. */
type Step =
  | { readonly do: 'put' | 'delete'; readonly by: 'us' | 'them'; readonly of: number; readonly answered: number }
  | { readonly do: 'deliver'; readonly count: number }
  | { readonly do: 'begin list' | 'end list' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('put', 'put', 'delete'),
      by: fc.constantFrom('us', 'them'),
      of: fc.nat(2),
      answered: fc.nat(4),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('begin list', 'end list') }) },
);

interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: UnknownObject;
}

/** What our own requests have shown of an object: the version it must not go behind, or the UID that is gone. */
interface Own {
  readonly version: number;
  readonly goneUid?: string;
}

it('the view never goes back behind own writes, agrees with what subscribers were told, and ends as the server is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let version = 1;
      const server = new Map<string, UnknownObject>();
      const log: Event[] = [];
      let delivered = 0;
      let answers: { readonly due: number; readonly take: () => void }[] = [];
      let listing: { readonly end: () => void } | undefined;
      const own = new Map<string, Own>();
      const told = new Map<string, string>();
      const cache = new LearningCache<UnknownObject>();
      list()();

      for (const [now, next] of steps.entries()) {
        take(next, now);
        for (const answer of answers) if (answer.due <= now) answer.take();
        answers = answers.filter(({ due }) => due > now);
        check();
      }
      for (const answer of answers) answer.take();
      check();
      listing?.end();
      deliver(log.length);
      check();
      expect(shown()).toEqual(new Map([...server].map(([name, object]) => [`ns/${name}`, stateOf(object)])));
      expect(cache.unconfirmed).toBe(0);

      function take(next: Step, now: number): void {
        if (next.do === 'deliver') return deliver(next.count);
        if ('by' in next) return write(next, now);
        if (next.do === 'end list') return listing?.end();
        if (!listing) {
          const end = list();
          listing = {
            end: () => {
              listing = undefined;
              end();
            },
          };
        }
      }

      function write(next: Extract<Step, { readonly by: string }>, now: number): void {
        const name = 'abc'[next.of] as string;
        const before = server.get(name);
        if (next.do === 'delete' && !before) return;
        version += 1;
        const uid = before?.metadata.uid ?? `uid-${version}`;
        const object = thing(name, uid, version);
        const isDeletion = next.do === 'delete';
        if (isDeletion) server.delete(name);
        else server.set(name, object);
        log.push({ type: isDeletion ? 'DELETED' : before ? 'MODIFIED' : 'ADDED', object });
        if (next.by === 'them') return;
        answers.push({ due: now + next.answered, take: () => answer(name, object, isDeletion) });
      }

      function answer(name: string, object: UnknownObject, isDeletion: boolean): void {
        const { uid, resourceVersion } = object.metadata;
        const hadIt = cache.getByKey(`ns/${name}`)?.metadata.uid === uid;
        const changes = isDeletion ? cache.learnGone({ namespace: 'ns', name }, uid) : cache.learn(object);
        hear(changes);
        const known = own.get(name)?.version ?? 0;
        if (isDeletion && hadIt) own.set(name, { version: known, goneUid: uid });
        if (!isDeletion && Number(resourceVersion) > known)
          own.set(name, { ...own.get(name), version: Number(resourceVersion) });
      }

      function deliver(count: number): void {
        // A watch goes on from the list, so nothing is told while one is under way.
        if (listing) return;
        for (const { type, object } of log.slice(delivered, delivered + count)) hear(cache.told(type, object));
        delivered = Math.min(log.length, delivered + count);
      }

      function list(): () => void {
        const replacing = cache.replacing();
        for (const object of server.values()) replacing.put(object);
        const [at, upTo] = [version, log.length];
        return () => {
          hear([...replacing.done(String(at))]);
          delivered = upTo;
        };
      }

      function hear(changes: ReturnType<typeof cache.learn>): void {
        for (const change of changes) {
          if (change.type === 'deleted') told.delete(change.key);
          else told.set(change.key, stateOf(change.object));
        }
      }

      function shown(): Map<string, string> {
        return new Map([...cache.entries()].map(([key, object]) => [key, stateOf(object)]));
      }

      function check(): void {
        expect(shown()).toEqual(told);
        for (const [name, { version: least, goneUid }] of own) {
          const object = cache.getByKey(`ns/${name}`);
          if (object) {
            expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(least);
            expect(object.metadata.uid).not.toBe(goneUid);
          } else {
            // Only a deletion after the own write makes it disappear.
            const isDeleted = log.some(
              (event) =>
                event.type === 'DELETED' &&
                event.object.metadata.name === name &&
                Number(event.object.metadata.resourceVersion) > least,
            );
            expect(isDeleted || goneUid !== undefined).toBe(true);
          }
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

function thing(name: string, uid: string, version: number): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { namespace: 'ns', name, uid, resourceVersion: String(version) },
  };
}

function stateOf({ metadata }: UnknownObject): string {
  return `${metadata.uid}@${metadata.resourceVersion}`;
}
