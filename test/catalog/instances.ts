import type { KubeClient, UnknownObject } from '@klutch/kube';
import { addTenant, claimType } from './scene.ts';

/** Fifty instances of five tenants: ten each, of which some differ in backend, plan, parameters and policy. */
export async function addInstances(admin: KubeClient): Promise<readonly UnknownObject[]> {
  const claims: UnknownObject[] = [];
  for (const tenant of ['acme', 'blue', 'coral', 'delta', 'echo']) {
    const namespace = await addTenant(admin, tenant);
    for (const [name, { kind, ...spec }] of Object.entries(instances)) {
      const claim = { apiVersion: 'anynines.com/v1', kind, metadata: { name, namespace }, spec };
      claims.push(await admin.resource(claimType(kind)).create(claim));
    }
  }
  return claims;
}

const small = { kind: 'PostgresqlInstance', service: 'a9s-postgresql14', plan: 'postgresql-single-small' };
const a9s = { kind: 'PostgresqlInstance', service: 'a9s-postgresql15', compositionRef: { name: 'a9s-postgresql' } };
const maria = { kind: 'MariadbInstance', service: 'a9s-mariadb106' };

const instances: Readonly<Record<string, { readonly kind: string; readonly [field: string]: unknown }>> = {
  'small-1': small,
  'small-2': { ...small, compositionRef: { name: 'a8s-postgresql' }, parameters: { maxConnections: 50 } },
  'small-by-hand': { ...small, compositionUpdatePolicy: 'Manual' },
  nano: { ...small, plan: 'postgresql-single-nano' },
  replica: { ...small, plan: 'postgresql-replica-big' },
  'a9s-small': { ...a9s, plan: 'postgresql-single-small' },
  'a9s-big': { ...a9s, plan: 'postgresql-single-big', parameters: { maxConnections: 50 } },
  'maria-nano': { ...maria, plan: 'mariadb-single-nano' },
  'maria-databases': { ...maria, plan: 'mariadb-single-small', parameters: { databases: ['extra'] } },
  'maria-big': { ...maria, plan: 'mariadb-single-big', parameters: { binlogExpireDays: 3 } },
};

/** An edit that gives small instances of one backend more memory, renames a parameter for a broker, and retires a plan. */
export const edit = {
  'services/postgresql.yaml': `
backends:
  a8s:
    patches:
      spec.resources.requests.memory: { values: { small: 3Gi } }
      spec.resources.limits.memory: { values: { small: 3Gi } }
`,
  'services/mariadb.yaml': `
plans:
  mariadb-single-nano: { retired: true }
parameters:
  databases: { a9s: extra_databases }
`,
};

/** Names of the instances that the edit changes and strands, in each tenant. */
export const changedByEdit = ['maria-databases', 'small-1', 'small-2'];
export const strandedByEdit = ['maria-nano'];
