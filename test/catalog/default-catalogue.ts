import { type Catalogue, defaultLayer, type Operation, readCatalogue, type Service } from '@klutch/catalog';

/** The catalogue that ships, under a group of its own, so that tests on a shared server do not meet. */
export async function defaultCatalogue(group: string): Promise<Catalogue> {
  const { catalogue, problems } = readCatalogue([await defaultLayer()]);
  if (!catalogue) throw new Error(`the default catalogue has problems: ${JSON.stringify(problems)}`);
  const { services, operations, backends } = catalogue;
  return {
    backends,
    services: services.map((service) => ({ ...service, group })),
    operations: operations.map((operation) => ({ ...operation, group })),
  };
}

export function offersOf({ services, operations }: Catalogue): readonly (Service | Operation)[] {
  return [...services, ...operations];
}
