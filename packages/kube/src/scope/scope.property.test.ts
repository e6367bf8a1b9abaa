import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Scope, scope } from './scope.ts';

/** What may happen to a tree of scopes. Numbers choose among the scopes or pieces of work there are. */
type Step =
  | { readonly do: 'child' | 'run' | 'end'; readonly at: number }
  | { readonly do: 'finish' | 'fail'; readonly work: number }
  | { readonly do: 'abort' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('child', 'run', 'run'), at: fc.nat(30) }),
  fc.record({ do: fc.constantFrom('finish', 'finish', 'fail'), work: fc.nat(30) }),
  fc.record({ do: fc.constant('end' as const), at: fc.nat(30) }),
  fc.record({ do: fc.constant('abort' as const) }),
);

/** A scope, and what must be true of it. */
interface Node {
  readonly real: Scope;
  readonly parent?: Node;
  readonly children: Node[];
  over?: { readonly reason: unknown; readonly failed: boolean };
  outcome?: { readonly failure?: unknown };
}

interface Work {
  readonly node: Node;
  readonly finish: () => void;
  readonly fail: (error: Error) => void;
  isRunning: boolean;
}

it('in any tree of scopes, what runs ends with its parents, the first failure wins and nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const root = new AbortController();
      const nodes: Node[] = [];
      const works: Work[] = [];
      open();

      for (const [index, each] of steps.entries()) {
        await take(each, index);
        for (const node of nodes) check(node);
      }

      root.abort('root');
      endBranch(nodes[0] as Node, 'root');
      for (const work of works) work.finish();
      await settled();
      for (const node of nodes) {
        check(node);
        expect(node.outcome).toBeDefined();
      }
      expect(getEventListeners(root.signal, 'abort')).toHaveLength(0);

      async function take(next: Step, index: number): Promise<void> {
        if (next.do === 'abort') {
          root.abort(`abort ${index}`);
          endBranch(nodes[0] as Node, `abort ${index}`);
        } else if ('work' in next) {
          const work = works[next.work % works.length];
          if (!work?.isRunning) return;
          if (next.do === 'finish') work.finish();
          else failWork(work, new Error(`failure ${index}`));
        } else {
          const node = nodes[next.at % nodes.length] as Node;
          if (next.do === 'child') open(node);
          if (next.do === 'run') run(node);
          if (next.do === 'end') {
            node.real.end(`end ${index}`);
            endBranch(node, `end ${index}`);
          }
        }
        await settled();
      }

      function open(parent?: Node): void {
        const real = parent ? parent.real.child() : scope(root.signal);
        const node: Node = { real, parent, children: [], over: parent?.over && { ...parent.over, failed: false } };
        real.ended.then(
          () => (node.outcome = {}),
          (failure: unknown) => (node.outcome = { failure }),
        );
        parent?.children.push(node);
        nodes.push(node);
      }

      function run(node: Node): void {
        const isOver = node.over !== undefined;
        let started = false;
        void node.real
          .run((signal) => {
            started = true;
            expect(signal).toBe(node.real.signal);
            return new Promise<void>((resolve, reject) => {
              const work: Work = {
                node,
                isRunning: true,
                finish: () => ((work.isRunning = false), resolve()),
                fail: (error) => ((work.isRunning = false), reject(error)),
              };
              works.push(work);
            });
          })
          .catch(() => {});
        expect(started).toBe(!isOver);
      }

      function failWork(work: Work, error: Error): void {
        work.fail(error);
        if (work.node.over) return;
        let node: Node | undefined = work.node;
        for (; node; node = node.parent) {
          node.over = { reason: error, failed: true };
          for (const child of node.children) endBranch(child, error);
        }
      }

      function endBranch(node: Node, reason: unknown): void {
        if (node.over) return;
        node.over = { reason, failed: false };
        for (const child of node.children) endBranch(child, reason);
      }

      function isQuiet(node: Node): boolean {
        return (
          !works.some((work) => work.isRunning && work.node === node) && node.children.every((child) => isQuiet(child))
        );
      }

      function check(node: Node): void {
        expect(node.real.isOver).toBe(node.over !== undefined);
        expect(node.real.signal.aborted).toBe(node.over !== undefined);
        if (node.over) expect(node.real.signal.reason).toBe(node.over.reason);
        const isEnded = node.over !== undefined && isQuiet(node);
        expect(node.outcome !== undefined).toBe(isEnded);
        if (isEnded) expect(node.outcome).toEqual(node.over?.failed ? { failure: node.over.reason } : {});
      }
    }),
    { numRuns: 500 },
  );
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
