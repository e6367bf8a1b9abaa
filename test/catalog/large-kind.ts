import type { Catalogue, Condition, Field, Plan, Service, Trait } from '@klutch/catalog';

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

const backendNames = ['east', 'west', 'north'];
const traits: readonly Trait[] = range(12).map((at) => ({
  name: `trait${at}`,
  values: ['low', 'middle', 'high', 'highest'],
  change: at % 2 === 0 ? 'grow' : 'never',
}));

/** 20 plans that differ in twelve traits. */
const plans: readonly Plan[] = range(20).map((at) => ({
  name: `large-service-with-many-traits-plan-number-${at}-of-all-plans`,
  traits: Object.fromEntries(
    traits.map(({ name, values }, position) => [name, values[(at * (position + 1)) % values.length] ?? 'low']),
  ),
  backends: backendNames,
  limits: {},
  retired: false,
}));

/** Two of them have names that are not identifiers of CEL. */
const parameterNames = ['namespace', 'tls-ciphers', ...range(58).map((at) => `parameter${at}`)];

function parameter(name: string, takers: readonly string[], immutable: boolean): Field {
  const targets = Object.fromEntries(takers.map((backend) => [backend, 'ignored' as const]));
  return { name, schema: { type: 'string' }, required: false, immutable, targets };
}

/** One kind with 20 plans of twelve traits, 60 parameters on three backends, and as many requirements. */
export function largeService(group: string, takers: readonly string[]): Service {
  const set = (name: string): Condition => ({ is: 'set', field: `parameters.${name}` });
  return {
    group,
    kind: 'LargeInstance',
    plural: 'largeinstances',
    name: 'large',
    displayName: 'Large',
    description: 'A service with many plans.',
    defaultBackend: 'east',
    columns: [],
    fields: [],
    claims: [],
    versions: range(10).map((at) => ({ name: `large-version-${at}`, backends: backendNames, retired: false })),
    traits,
    plans,
    planChange: 'by-traits',
    parameters: parameterNames.map((name, at) => parameter(name, takers, at % 20 === 0)),
    requirements: parameterNames.map((name) => ({
      when: [set(name)],
      // oxlint-disable-next-line unicorn/no-thenable -- a word of the catalogue, never awaited
      then: [{ is: 'trait', trait: 'trait0', in: ['low', 'middle'] }],
      message: `${name} is only supported with low plans.`,
    })),
    backends: backendNames.map((name) => ({
      name,
      composed: { through: 'resource', base: {}, patches: [], status: [] },
      parametersAt: 'spec',
      operations: [],
      credentials: [],
    })),
  };
}

export const largeCatalogue = (group: string, takers: readonly string[] = backendNames): Catalogue => ({
  services: [largeService(group, takers)],
  operations: [],
  backends: backendNames.map((name) => ({
    name,
    displayName: name,
    description: name,
    operations: {},
    providerConfigs: [],
  })),
});
