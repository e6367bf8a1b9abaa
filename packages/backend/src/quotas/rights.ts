import type { Rule } from '../objects/rbac.ts';

const write: Rule = { apiGroups: [''], resources: ['resourcequotas'], verbs: ['create', 'patch'] };

/** What a backend must be allowed to do to limit the objects of tenants. */
export const quotaRights = {
  /** In the whole cluster. */
  cluster: [{ apiGroups: [''], resources: ['resourcequotas'], verbs: ['get', 'list', 'watch'] }],
  /** In each namespace of a tenant. */
  tenant: [write],
  /** In the namespace of the backend. */
  namespace: [write],
} as const satisfies Readonly<Record<string, readonly Rule[]>>;
