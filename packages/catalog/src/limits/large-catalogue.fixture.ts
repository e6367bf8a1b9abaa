import type { Catalogue, Plan, Service } from '../model/catalogue.ts';
import { composed, database, field, plan, smallCatalogue } from '../render/catalogue.fixture.ts';

/** A made-up catalogue: services on two backends, each with plans of four sizes, versions, parameters and requirements. */
export function largeCatalogue(size: {
  readonly services: number;
  readonly plans: number;
  readonly parameters?: number;
}): Catalogue {
  const { parameters = 20 } = size;
  return {
    ...smallCatalogue(),
    services: Array.from({ length: size.services }, (_, at) => service(at, size.plans, parameters)),
  };
}

const sizes = ['nano', 'small', 'medium', 'big'];

function service(at: number, plans: number, parameters: number): Service {
  const name = `service${at}`;
  return database({
    name,
    kind: `Service${at}Instance`,
    plural: `service${at}instances`,
    displayName: `Service ${at}`,
    traits: [
      { name: 'topology', values: ['single', 'replica'], change: 'grow' },
      { name: 'size', values: sizes, change: 'grow' },
      { name: 'ssl', values: ['no', 'yes'], change: 'never' },
    ],
    plans: Array.from({ length: plans }, (_, plan) => planOf(name, plan)),
    parameters: Array.from({ length: parameters }, (_, parameter) =>
      field(`parameter${parameter}`, {
        schema: { type: 'string', enum: ['on', 'off'] },
        targets:
          parameter % 2 === 0
            ? { op: [{ to: `p${parameter}`, transforms: [] }] }
            : { op: [{ to: `p${parameter}`, transforms: [] }], vendor: [{ to: `p_${parameter}`, transforms: [] }] },
      }),
    ),
    requirements: [
      {
        when: [{ is: 'version', in: ['db2'] }],
        then: [{ is: 'trait', trait: 'ssl', in: ['yes', 'no'] }],
        message: 'Any will do.',
      },
    ],
    backends: database().backends.map((backend) => ({
      ...backend,
      composed: composed({
        ...backend.composed,
        patches: [
          {
            from: 'spec.plan',
            to: 'spec.memory',
            transforms: [
              { is: 'trait', trait: 'size', values: Object.fromEntries(sizes.map((size) => [size, `${size}Gi`])) },
            ],
          },
        ],
      }),
    })),
  });
}

function planOf(service: string, at: number): Plan {
  const [topology, size, ssl] = [
    ['single', 'replica'][at % 2] ?? '',
    sizes[Math.floor(at / 2) % sizes.length] ?? '',
    ['no', 'yes'][Math.floor(at / 8) % 2] ?? '',
  ];
  return plan(`${service}-${topology}-${size}-${at}`, {
    traits: { topology, size, ssl },
    backends: ['op', 'vendor'],
    cost: `${at} EUR per month`,
    limits: { memory: `${at}Gi`, storage: `${at * 10}Gi` },
  });
}
