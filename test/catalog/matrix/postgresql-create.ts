import {
  a8s,
  a8sOnlyParameters,
  a8sPlans,
  a8sServices,
  a9s,
  a9sServices,
  bionicPlans,
  commonParameters,
  plainA9sPlans,
} from './postgresql.ts';
import { combine, instance, on, type Row, type Spec } from './row.ts';

const kind = 'PostgresqlInstance';
const row = (id: string, spec: Spec, refused?: string): Row => ({ id, kind, spec, refused });
const nano = 'postgresql-single-nano';

/** Whatever is valid without parameters. */
const anyClaim: readonly Spec[] = [
  ...combine(a8sServices, a8sPlans).flatMap(([service, plan]) => [
    on(a8s, instance(service, plan)),
    instance(service, plan),
  ]),
  ...combine(a9sServices, plainA9sPlans).map(([service, plan]) => on(a9s, instance(service, plan))),
  ...bionicPlans.map((plan) => on(a9s, instance('a9s-postgresql13', plan))),
];

const impossible: readonly (readonly [Spec, string])[] = [
  [{ tempFileLimit: 0 }, 'spec.parameters.tempFileLimit'],
  [{ walWriterDelay: 0 }, 'should be greater than or equal to 1'],
  [{ maxLocksPerTransaction: 9 }, 'should be greater than or equal to 10'],
  [{ clientMinMessages: 'notice' }, 'supported values: "DEBUG5"'],
];

/** Creating PostgreSQL instances (catalog.md §13). */
export const postgresqlCreate: readonly Row[] = [
  ...combine(a8sServices, a8sPlans).map(([service, plan]) => row('CAT-01', on(a8s, instance(service, plan)))),
  row(
    'CAT-02',
    on(a8s, instance('a9s-postgresql13', 'postgresql-replica-big', { ...commonParameters, ...a8sOnlyParameters })),
  ),
  row('CAT-03', on(a8s, instance('a9s-postgresql15', nano)), 'Unsupported service used'),
  ...['postgresql-single-nano-ssl', ...bionicPlans].map((plan) =>
    row('CAT-04', on(a8s, instance('a9s-postgresql14', plan)), 'Unsupported plan used'),
  ),
  row('CAT-05', on(a8s, instance('a9s-postgresql14', nano, { dataChecksums: 'enabled' })), 'only supported with'),
  ...a9sServices.map((service) => row('CAT-06', on(a9s, instance(service, nano)))),
  row('CAT-07', on(a9s, instance('a9s-postgresql13', 'postgresql-single-nano-ssl', commonParameters))),
  row('CAT-08', on(a9s, instance('a9s-postgresql14', nano)), 'Unsupported service used'),
  row('CAT-09', on(a9s, instance('a9s-postgresql15', 'postgresql-single-medium')), 'Unsupported plan used'),
  ...combine(['a9s-postgresql15', 'a9s-postgresql17'], bionicPlans).map(([service, plan]) =>
    row('CAT-10', on(a9s, instance(service, plan)), 'Bionic plans are only supported'),
  ),
  ...Object.entries(a8sOnlyParameters).map(([name, value]) =>
    row(
      'CAT-11',
      on(a9s, instance('a9s-postgresql13', nano, { [name]: value })),
      `parameters.${name} is only supported`,
    ),
  ),
  ...combine(anyClaim, impossible).map(([spec, [parameters, said]]) => row('CAT-12', { ...spec, parameters }, said)),
];
