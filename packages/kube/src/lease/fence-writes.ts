import { KubeError } from '../errors/kube-error.ts';
import type { Interceptor } from '../transport/types.ts';
import type { LeaderTerm } from './term.ts';

/**
 * An interceptor for the clients a leader writes with: refuses writes with `KUBE_LEADERSHIP_LOST` once the term is over
 * and cancels those under way. It holds where a signal cannot: for work that ignores its signal, and after the machine
 * slept through the end of the term. It looks again when the write goes on its connection, since calls wait for their
 * turn and for credentials on the way there. Not for the client that renews the lease.
 */
export function fenceWrites(term: LeaderTerm): Interceptor {
  return (next) => async (request) => {
    if (request.method === 'GET') return next(request);
    const check = () => {
      if (!term.isCurrent()) throw refusal(term, request.about.object);
    };
    const beforeSend = () => {
      request.beforeSend?.();
      check();
    };
    check();
    const abort = new AbortController();
    const onLoss = () => abort.abort(term.lost.reason);
    const onCaller = () => abort.abort(request.signal?.reason);
    term.lost.addEventListener('abort', onLoss, { once: true });
    request.signal?.addEventListener('abort', onCaller, { once: true });
    if (request.signal?.aborted) onCaller();
    try {
      return await next({ ...request, signal: abort.signal, beforeSend });
    } catch (error) {
      throw term.lost.aborted ? refusal(term, request.about.object, error) : error;
    } finally {
      term.lost.removeEventListener('abort', onLoss);
      request.signal?.removeEventListener('abort', onCaller);
    }
  };
}

function refusal(term: LeaderTerm, object: string, cause: unknown = term.lost.reason): KubeError {
  return new KubeError('KUBE_LEADERSHIP_LOST', `${object} was not written: this process is no longer the leader`, {
    object,
    cause,
  });
}
