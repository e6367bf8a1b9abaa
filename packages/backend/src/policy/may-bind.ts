import { KlutchError } from '@klutch/api';
import type { PolicyOptions } from '../process/options.ts';
import type { Caller } from './caller.ts';

type Lists = Pick<PolicyOptions, 'allowAll' | 'allowedUsers' | 'allowedGroups' | 'machines'>;

/**
 * Whether the caller may bind at all: nobody may who is not listed. Users are listed by subject or verified e-mail address,
 * never by a name they choose themselves.
 */
export function mayBind(caller: Caller, policy: Lists): boolean {
  if (caller.kind === 'machine') return policy.machines.clients.has(caller.clientId);
  if (policy.allowAll) return true;
  const isListed = (user: string) => user === caller.subject || user === caller.email;
  return policy.allowedUsers.some(isListed) || caller.groups.some((group) => policy.allowedGroups.includes(group));
}

/** Throws `KLUTCH_NOT_ENTITLED` unless the caller {@link mayBind}. */
export function requireMayBind(caller: Caller, policy: Lists): void {
  if (mayBind(caller, policy)) return;
  throw new KlutchError(
    'KLUTCH_NOT_ENTITLED',
    `${caller.displayName} may not bind APIs of this provider. Ask the operator for access.`,
  );
}

/** Throws `KLUTCH_USAGE` when the policy would let nobody in, which nobody wants, or does not say that it lets in all. */
export function checkPolicy({ allowAll, allowedUsers, allowedGroups }: Lists): void {
  if (allowAll || allowedUsers.length > 0 || allowedGroups.length > 0) return;
  throw new KlutchError(
    'KLUTCH_USAGE',
    'Nobody may bind: name those who may with --allowed-users or --allowed-groups, ' +
      'or let every account of the issuer in with --allow-all-users.',
  );
}
