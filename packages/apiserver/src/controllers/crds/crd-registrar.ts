import { type Crd, isEstablished } from '../../crd/crd.ts';
import { bucketOf } from '../../registry/served-resource.ts';
import type { ControllerContext } from '../context.ts';
import { servedTypes, type TypesOfCrd } from './served-types.ts';

/** Keeps the registry in step with CustomResourceDefinitions. */
export interface CrdRegistrar {
  /** Serves what the definition defines as it is now. Cheap when that has not changed. Throws when that cannot be served. */
  show(crd: Crd): void;
  /** Serves nothing of the definition any more. */
  hide(name: string): void;
  /** Whether the server has objects of that type by itself. */
  isBuiltIn(crd: Crd): boolean;
}

export function createCrdRegistrar(context: ControllerContext, typesOf: TypesOfCrd): CrdRegistrar {
  const { registry, store } = context.world;
  const builtIn = new Set(registry.all().flatMap((type) => (type.builtIn ? [type.bucket] : [])));
  const shown = new Map<string, { readonly bucket: string; readonly state: string }>();
  const knownSince = new Map<string, number>();
  const isBuiltIn = (crd: Crd) => builtIn.has(bucketOfCrd(crd));

  const replace = (bucket: string, types: ReturnType<TypesOfCrd>) => {
    if (types.length > 0 && !knownSince.has(bucket)) knownSince.set(bucket, store.durableRevision);
    const since = knownSince.get(bucket);
    registry.replace(
      bucket,
      types.map((type) => ({ ...type, since })),
    );
    if (types.length === 0) knownSince.delete(bucket);
    context.typeChanges.announce();
  };

  return {
    isBuiltIn,
    show: (crd) => {
      const { name = '' } = crd.metadata;
      const [bucket, state] = [bucketOfCrd(crd), stateOf(crd)];
      const before = shown.get(name);
      if (isBuiltIn(crd) || before?.state === state) return;
      const types = servedTypes(crd, typesOf);
      shown.set(name, { bucket, state });
      if (types.length > 0 || before !== undefined) replace(bucket, types);
    },
    hide: (name) => {
      const known = shown.get(name);
      if (!shown.delete(name) || known === undefined) return;
      replace(known.bucket, []);
    },
  };
}

/** Where objects of a definition are stored. */
export function bucketOfCrd({ spec }: Crd): string {
  return bucketOf({ group: spec.group, resource: spec.names.plural });
}

/** Everything that makes a difference to what is served; the generation stands for the specification. */
function stateOf(crd: Crd): string {
  const { uid, generation, deletionTimestamp } = crd.metadata;
  const isTerminating = deletionTimestamp !== undefined;
  const names = Object.entries(crd.status?.acceptedNames ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([uid, generation, isEstablished(crd), isTerminating, names]);
}
