import type { Composed, Plan, Service, ServiceBackend, Trait } from '../catalogue.ts';
import type { ServiceFile } from '../shape/files.ts';
import { composedOf, filledIn } from './composed.ts';
import { fieldsOf, offerOf } from './offer.ts';

/** A service as its file describes it, which already has what the files of its backends say under `instance`. */
export function serviceOf(file: ServiceFile, throughOf: (backend: string) => Through): Service {
  const backends = Object.keys(file.backends);
  const traits = Object.entries(file.traits ?? {}).map(([name, { values, change }]) => ({ name, values, change }));
  return {
    name: file.service,
    ...offerOf(file, backends),
    versions: Object.entries(file.versions ?? {}).map(([name, version]) => ({
      name,
      backends: version.backends ?? backends,
      retired: version.retired ?? false,
    })),
    traits,
    plans: Object.entries(file.plans ?? {}).map(([name, plan]) => planOf(name, plan, traits, backends)),
    planChange: file.planChange ?? 'by-traits',
    parameters: fieldsOf(file.parameters),
    backends: Object.entries(file.backends).map(([name, backend]) =>
      serviceBackendOf(name, filledIn(backend, file.service), throughOf(name)),
    ),
  };
}

type Through = Composed['through'];

type PlanFile = NonNullable<ServiceFile['plans']>[string];

function planOf(name: string, file: PlanFile, traits: readonly Trait[], backends: readonly string[]): Plan {
  const { description, cost } = file;
  return {
    name,
    traits: { ...Object.fromEntries(traits.map((trait) => [trait.name, trait.values[0] ?? ''])), ...file.traits },
    backends: file.backends ?? backends,
    ...(description === undefined ? {} : { description }),
    ...(cost === undefined ? {} : { cost }),
    limits: file.limits ?? {},
    retired: file.retired ?? false,
  };
}

type BackendPart = ServiceFile['backends'][string];

function serviceBackendOf(name: string, file: BackendPart, through: Through): ServiceBackend {
  return {
    name,
    composed: composedOf(file, file.through ?? through),
    parametersAt: file.parametersAt ?? 'spec.parameters',
    operations: file.operations ?? [],
    credentials: file.credentials ?? [],
  };
}
