import {
  apiVersionOf,
  type KubeClient,
  type KubeList,
  type KubeObject,
  type ListOptions,
  type ResourceClient,
} from '@klutch/kube';
import type { Versions } from './seen-versions.ts';

/** A client that notices when its server answers from an older state than before. */
export interface ObservedVersions {
  readonly client: KubeClient;
  /** How often that happened. */
  timesWentBack(): number;
  /** Highest versions by resource, those included that were known before. */
  versions(): Versions;
}

/**
 * Compares the versions of lists with the highest that a list or a watch has told. Informers list before they trust a
 * watch again, so a cluster that was restored under a running konnector is known before anybody sees what is missing.
 *
 * @param before what another process has seen of the same cluster
 */
export function observeVersions(client: KubeClient, before: Versions = new Map()): ObservedVersions {
  const highest = new Map([...before].map(([resource, version]) => [resource, BigInt(version)]));
  let wentBack = 0;

  /** Compared with what was known when the request was sent: answers may overtake each other. */
  function note(resource: string, known: bigint | undefined, page: KubeList<KubeObject>): void {
    const version = versionOf(page.metadata.resourceVersion);
    if (version === undefined) return;
    const isBack = known !== undefined && version < known;
    if (isBack) wentBack += 1;
    if (isBack) highest.set(resource, version);
    else raise(resource, version);
  }

  function raise(resource: string, version: bigint | undefined): void {
    const latest = highest.get(resource);
    if (version !== undefined && (latest === undefined || version > latest)) highest.set(resource, version);
  }

  function observed<T extends KubeObject>(resource: ResourceClient<T>): ResourceClient<T> {
    const name = `${apiVersionOf(resource.type)}/${resource.type.plural}`;
    return {
      ...resource,
      list: async (options) => {
        const known = highest.get(name);
        const page = await resource.list(options);
        if (isCurrent(options)) note(name, known, page);
        return page;
      },
      pages: async function* (options) {
        const known = highest.get(name);
        let isFirst = isCurrent(options);
        for await (const page of resource.pages(options)) {
          // Further pages are of the moment of the first.
          if (isFirst) note(name, known, page);
          isFirst = false;
          yield page;
        }
      },
      watch: async function* (options) {
        for await (const event of resource.watch(options)) {
          raise(
            name,
            versionOf(event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion),
          );
          yield event;
        }
      },
    };
  }

  return {
    client: { ...client, resource: (type) => observed(client.resource(type)) },
    timesWentBack: () => wentBack,
    versions: () => new Map([...highest].map(([resource, version]) => [resource, String(version)])),
  };
}

/** Whether a list asks for the state of this moment. */
function isCurrent(options: ListOptions = {}): boolean {
  return options.continue === undefined && options.resourceVersion === undefined;
}

function versionOf(version = ''): bigint | undefined {
  return /^\d+$/.test(version) ? BigInt(version) : undefined;
}
