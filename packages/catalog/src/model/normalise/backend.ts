import type { Backend, JsonObject } from '../catalogue.ts';
import type { BackendFile } from '../shape/files.ts';
import { composedOf, filledIn } from './composed.ts';

/** A backend as its file describes it. `services` are the names of those that use it. */
export function backendOf(file: BackendFile, services: readonly string[]): Backend {
  return {
    name: file.backend,
    displayName: file.displayName,
    description: file.description,
    operations: Object.fromEntries(
      Object.entries(file.operations ?? {}).map(([name, composed]) => [name, composedOf(composed, file.through)]),
    ),
    providerConfigs: Object.values(file.providerConfigs ?? {}).flatMap((config) =>
      configsOf(config as JsonObject, services),
    ),
  };
}

/** One for each service where the name of the service occurs, or else just one. */
function configsOf(config: JsonObject, services: readonly string[]): readonly JsonObject[] {
  const text = JSON.stringify(config);
  if (!text.includes('{service}')) return services.length > 0 ? [config] : [];
  return services.map((service) => filledIn(config, service));
}
