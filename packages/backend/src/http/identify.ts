import type { Caller as CallerKind } from '@klutch/api/contract';
import type { FastifyRequest } from 'fastify';
import { actors } from '../audit/audit.ts';
import { type Caller, callerId } from '../policy/caller.ts';
import { machineOf } from '../policy/machine.ts';
import { requireMayBind } from '../policy/may-bind.ts';
import { textOf } from '../policy/person.ts';
import { audited } from './audited.ts';
import type { WebContext } from './context.ts';
import { bearerOf } from './requests.ts';

/** An app cluster that showed the credential it was given. */
export interface AppClusterCaller {
  /** Its namespace on the control plane. */
  readonly namespace: string;
  readonly token: string;
}

/** Who calls an endpoint, by what its description asks callers to show. */
export interface Callers {
  readonly anyone: undefined;
  readonly accessToken: Caller;
  readonly tenantCredential: AppClusterCaller;
}

/**
 * Verifies what the caller of an endpoint shows, and counts the request for them. Throws `KLUTCH_TOKEN_INVALID`,
 * `KLUTCH_NOT_ENTITLED` or `KLUTCH_RATE_LIMITED`.
 */
export async function identify<C extends CallerKind>(
  context: WebContext,
  kind: C,
  request: FastifyRequest,
): Promise<Callers[C]> {
  return await identities[kind](context, request);
}

type Identify<C> = (context: WebContext, request: FastifyRequest) => Promise<C>;

const identities: { readonly [C in CallerKind]: Identify<Callers[C]> } = {
  anyone: async () => undefined,
  accessToken: async (context, request) => {
    const { policy } = context.options;
    const claims = await context.issuer.verifyAccessToken(bearerOf(request));
    const who = `${claims.iss}/${textOf(claims['sub']) ?? actors.unknown}`;
    const caller = await audited(context.audit, { action: 'Login', who }, async () => {
      const machine = machineOf(claims, policy.machines);
      requireMayBind(machine, policy);
      return machine;
    });
    await context.limits.countSubject(request, callerId(caller));
    return caller;
  },
  tenantCredential: async (context, request) => {
    const token = bearerOf(request);
    const namespace = await context.tenants.namespaceOf(token);
    await context.limits.countSubject(request, `namespace ${namespace}`);
    return { namespace, token };
  },
};
