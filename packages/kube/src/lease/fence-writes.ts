import { KubeError } from '../errors/kube-error.ts';
import { Deadline } from '../transport/deadline.ts';
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
    const deadline = new Deadline([term.lost, request.signal]);
    try {
      return await next({ ...request, signal: deadline.signal, beforeSend });
    } catch (error) {
      throw term.lost.aborted ? refusal(term, request.about.object, error) : error;
    } finally {
      deadline.clear();
    }
  };
}

function refusal(term: LeaderTerm, object: string, cause: unknown = term.lost.reason): KubeError {
  return new KubeError('KUBE_LEADERSHIP_LOST', `${object} was not written: this process is no longer the leader`, {
    object,
    cause,
  });
}
