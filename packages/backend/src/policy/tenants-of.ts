import type { PolicyOptions } from '../process/options.ts';
import type { Caller } from './caller.ts';
import type { Tenant } from './tenant.ts';

/**
 * The tenants a caller may act for, each once, ordered by name. Persons: the tenants their groups name, or themselves where no
 * groups are tenants. Machines: the tenant they are assigned to, or themselves. Empty when a person is in none.
 *
 * Names decide about restricted templates, so those of persons and clients carry a prefix that no group may have.
 */
export function tenantsOf(caller: Caller, policy: Pick<PolicyOptions, 'tenantGroups' | 'machines'>): Tenant[] {
  if (caller.kind === 'machine') {
    const name = policy.machines.clients.get(caller.clientId);
    return [name === undefined ? ownTenant('client', caller.issuer, caller.clientId) : teamTenant(caller.issuer, name)];
  }
  if (policy.tenantGroups === undefined) {
    return [ownTenant('user', caller.issuer, caller.subject, caller.email)];
  }
  const pattern = new RegExp(policy.tenantGroups.source, policy.tenantGroups.flags.replace(/[gy]/g, ''));
  const names = caller.groups.map((group) => nameIn(pattern.exec(group))).filter((name) => name !== undefined);
  return [...new Set(names)].sort().map((name) => teamTenant(caller.issuer, name));
}

const reserved = /^(user|client):/;

/** What the first group of the pattern captures, or the whole match where it has none. */
function nameIn(match: RegExpExecArray | null): string | undefined {
  const name = match?.length === 1 ? match[0] : match?.[1];
  return name && !reserved.test(name) ? name : undefined;
}

function teamTenant(issuer: string, name: string): Tenant {
  return { identity: JSON.stringify(['group', issuer, name]), name };
}

function ownTenant(kind: 'user' | 'client', issuer: string, id: string, readable = id): Tenant {
  return { identity: JSON.stringify([kind, issuer, id]), name: `${kind}:${readable}` };
}
