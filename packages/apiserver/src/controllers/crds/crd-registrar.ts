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
  const known = new Map<string, { readonly definition: string; readonly since: number }>();
  const isBuiltIn = (crd: Crd) => builtIn.has(bucketOfCrd(crd));

  const replace = (bucket: string, types: ReturnType<TypesOfCrd>, definition = '') => {
    if (types.length === 0) known.delete(bucket);
    else if (known.get(bucket)?.definition !== definition)
      known.set(bucket, { definition, since: store.durableRevision });
    const origin = known.get(bucket);
    registry.replace(
      bucket,
      types.map((type) => ({ ...type, ...origin })),
    );
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
      if (types.length > 0 || before !== undefined) replace(bucket, types, definitionOf(crd));
    },
    hide: (name) => {
      const before = shown.get(name);
      if (!shown.delete(name) || before === undefined) return;
      replace(before.bucket, []);
    },
  };
}

/** Where objects of a definition are stored. */
export function bucketOfCrd({ spec }: Crd): string {
  return bucketOf({ group: spec.group, resource: spec.names.plural });
}

/** Everything that makes a difference to what is served. */
function stateOf(crd: Crd): string {
  const isTerminating = crd.metadata.deletionTimestamp !== undefined;
  return JSON.stringify([definitionOf(crd), isEstablished(crd), isTerminating]);
}

/** What a type is, whether it is being deleted or not; the generation stands for the specification. */
function definitionOf({ metadata: { uid, generation }, status }: Crd): string {
  const names = Object.entries(status?.acceptedNames ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([uid, generation, names]);
}
