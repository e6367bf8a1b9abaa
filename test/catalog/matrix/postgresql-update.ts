import { a8s, a8sPlans, a8sServices, a9s, a9sServices, bionicPlans, plainA9sPlans, services } from './postgresql.ts';
import { combine, instance, on, type Row } from './row.ts';

const kind = 'PostgresqlInstance';
const plan = (rest: string) => `postgresql-${rest}`;

function change(id: string, composition: string, from: string, to: string, refused?: string): Row {
  const spec = (name: string) => on(composition, instance('a9s-postgresql13', plan(name)));
  return { id, kind, before: spec(from), spec: spec(to), refused };
}

const sizes = ['nano', 'small', 'medium', 'big'];
const single = sizes.map((size) => `single-${size}`);
const replica = sizes.map((size) => `replica-${size}`);
const size = 'smaller plan size is not supported';

/** Changing PostgreSQL instances (catalog.md §13). */
export const postgresqlUpdate: readonly Row[] = [
  ...combine(a8sServices, a8sPlans).map(([service, name]) => same(a8s, service, name)),
  ...combine(a9sServices, plainA9sPlans).map(([service, name]) => same(a9s, service, name)),
  ...bionicPlans.map((name) => same(a9s, 'a9s-postgresql13', name)),

  ...['single-small', 'single-medium', 'single-big', ...replica].map((to) => change('CAT-14', a8s, 'single-nano', to)),
  ...['single-medium', 'single-big', 'replica-small', 'replica-medium', 'replica-big'].map((to) =>
    change('CAT-15', a8s, 'single-small', to),
  ),
  change('CAT-16', a8s, 'single-big', 'replica-big'),
  ...['single-nano', 'replica-nano'].map((to) => change('CAT-17', a8s, 'single-small', to, size)),
  ...combine(['single', 'replica'], ['nano', 'small', 'medium']).map(([topology, smaller]) =>
    change('CAT-18', a8s, 'single-big', `${topology}-${smaller}`, size),
  ),
  ...combine(replica, single).map(([from, to]) => change('CAT-19', a8s, from, to, 'not supported')),
  ...['single-nano-ssl', 'single-nano-bionic'].map((to) => change('CAT-20', a9s, 'single-nano', to, 'not supported')),
  ...['single-small-ssl', 'replica-big-ssl'].map((to) => change('CAT-21', a9s, 'single-nano-ssl', to)),
  ...otherServices(a8s, a8sServices, a8sPlans),
  ...otherServices(a9s, a9sServices, plainA9sPlans),
];

function same(composition: string, service: string, name: string): Row {
  const spec = on(composition, instance(service, name));
  return { id: 'CAT-13', kind, before: spec, spec: { ...spec, parameters: { maxConnections: 200 } } };
}

function otherServices(composition: string, offered: readonly string[], plans: readonly string[]): readonly Row[] {
  return combine(combine(offered, services), plans).flatMap(([[from, to], name]): readonly Row[] => {
    if (from === to) return [];
    const before = on(composition, instance(from, name));
    return [{ id: 'CAT-22', kind, before, spec: { ...before, service: to }, refused: 'immutable field' }];
  });
}
