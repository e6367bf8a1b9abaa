import { setMaxListeners } from 'node:events';
import { onAbort } from './on-abort.ts';

/**
 * Work with a common end. It goes on until {@link Scope.end} is called, its parent ends or something in it fails; then its
 * signal aborts, and when all that was started in it is over, `ended` settles.
 */
export interface Scope {
  /** Aborts with the scope: with the reason of its parent, the failure, or what `end` was given. */
  readonly signal: AbortSignal;
  /** Whether the scope has come to its end, though parts of it may still be under way. */
  readonly isOver: boolean;
  /**
   * Starts work in the scope and gives its result. When it fails, the scope ends. A scope that is over starts nothing: the
   * promise rejects with the reason of the signal. The promise may be left alone, since the scope awaits the work.
   */
  run<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T>;
  /** A scope that ends with this one at the latest, is awaited by it, and whose failure is a failure of this one. */
  child(): Scope;
  /** Ends the scope. Only the first end counts. */
  end(reason?: unknown): void;
  /**
   * Settles when nothing of the scope is left: rejects with the failure that ended it, otherwise resolves. What fails after
   * the end is a consequence of it and does not count.
   */
  readonly ended: Promise<void>;
}

/** Opens a scope that ends with `parent`, on which it is one listener until then. */
export function scope(parent?: AbortSignal): Scope {
  return open(
    (end) => (parent ? onAbort(parent, () => end(parent.reason)) : () => {}),
    () => {},
  );
}

/** Told of the end of a parent by `link`, which returns what undoes the link; tells the parent of a failure at once. */
function open(link: (end: (reason: unknown) => void) => () => void, failParent: (error: unknown) => void): Scope {
  let controller: AbortController | undefined;
  let over: { readonly reason: unknown } | undefined;
  let failure: { readonly error: unknown } | undefined;
  let underWay = 0;
  const children = new Set<(reason: unknown) => void>();
  let settle: () => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    settle = () => (failure ? reject(failure.error) : resolve());
  });

  let unlink = () => {};
  unlink = link(end);
  if (over) unlink();

  return {
    get signal() {
      return signalOf();
    },
    get isOver() {
      return over !== undefined;
    },
    run: (work) => (over ? refused(over.reason) : follow(async () => work(signalOf()))),
    child: () => {
      const child = open(adopt, fail);
      if (!over) void follow(() => child.ended);
      return child;
    },
    end: (reason) => end(reason ?? new DOMException('The scope has ended.', 'AbortError')),
    ended,
  };

  /** Made when somebody asks for it: a signal costs more than all the rest. */
  function signalOf(): AbortSignal {
    if (controller) return controller.signal;
    controller = new AbortController();
    // Libraries listen to it directly, once for each piece of work.
    setMaxListeners(0, controller.signal);
    if (over) controller.abort(over.reason);
    return controller.signal;
  }

  function adopt(endChild: (reason: unknown) => void): () => void {
    if (over) endChild(over.reason);
    else children.add(endChild);
    return () => children.delete(endChild);
  }

  /** Counts the work before it begins, because it may end the scope at once. */
  function follow<T>(begin: () => Promise<T>): Promise<T> {
    underWay += 1;
    const work = begin();
    work.catch(fail).finally(leave);
    return work;
  }

  function fail(error: unknown): void {
    if (over) return;
    failure = { error };
    failParent(error);
    end(error);
  }

  function leave(): void {
    underWay -= 1;
    if (over && underWay === 0) settle();
  }

  function end(reason: unknown): void {
    if (over) return;
    over = { reason };
    unlink();
    controller?.abort(reason);
    for (const endChild of children) endChild(reason);
    if (underWay === 0) settle();
  }
}

function refused(reason: unknown): Promise<never> {
  const refusal = Promise.reject(reason);
  refusal.catch(() => {});
  return refusal;
}
