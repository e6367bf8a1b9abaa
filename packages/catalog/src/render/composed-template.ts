import type { Composed, Field, JsonObject, Operation, Patch, Plan, Service } from '../model/catalogue.ts';
import { compositionName, isService, type Realisation } from './offers.ts';
import { type FunctionTransform, functionTransform } from './transforms.ts';

/** An entry of `resources` in the input of function-patch-and-transform. */
export interface ComposedTemplate {
  readonly name: string;
  readonly base: JsonObject;
  readonly patches: readonly FunctionPatch[];
}

export interface FunctionPatch {
  readonly type: 'FromCompositeFieldPath' | 'ToCompositeFieldPath';
  readonly fromFieldPath: string;
  readonly toFieldPath: string;
  readonly transforms?: readonly FunctionTransform[];
}

/** The object that a composite composes, and what is patched into it and out of it. */
export function composedTemplate(
  offer: Service | Operation,
  { backend, composed, parametersAt }: Realisation,
): ComposedTemplate {
  const wrapping = wrappings[composed.through];
  const plans = isService(offer) ? offer.plans : [];
  const patches = [
    ...composed.patches,
    ...fieldPatches(offer.fields, backend, 'spec', ''),
    ...(isService(offer) ? fieldPatches(offer.parameters, backend, 'spec.parameters', `${parametersAt ?? ''}.`) : []),
  ];
  return {
    name: compositionName(backend, offer),
    base: wrapping.wrap(composed),
    patches: [
      ...wrapping.identity.map(([from, to]) => functionPatch({ from, to, transforms: [] }, plans)),
      ...patches.map((patch) => functionPatch({ ...patch, to: `${wrapping.desired}${patch.to}` }, plans)),
      ...composed.status.map(
        ({ from, to }): FunctionPatch => ({
          type: 'ToCompositeFieldPath',
          fromFieldPath: `${wrapping.observed}${from}`,
          toFieldPath: `status.managed.${to}`,
        }),
      ),
    ],
  };
}

const claimNamespace = 'metadata.labels[crossplane.io/claim-namespace]';
const claimName = 'metadata.labels[crossplane.io/claim-name]';

/** How an object gets to its API server, where it says which claim it belongs to, and where its fields are. */
interface Wrapping {
  readonly wrap: (composed: Composed) => JsonObject;
  readonly identity: readonly (readonly [from: string, to: string])[];
  /** Before paths of what is desired. */
  readonly desired: string;
  /** Before paths of what is observed. */
  readonly observed: string;
}

const wrappings: Readonly<Record<Composed['through'], Wrapping>> = {
  // Providers find instances and backups by these labels.
  resource: {
    wrap: ({ base }) => base,
    identity: [
      [claimNamespace, claimNamespace],
      [claimName, claimName],
    ],
    desired: '',
    observed: '',
  },
  object: {
    wrap: ({ base, ready }) => ({
      apiVersion: 'kubernetes.crossplane.io/v1alpha2',
      kind: 'Object',
      spec: {
        forProvider: { manifest: base },
        providerConfigRef: { name: 'kubernetes-provider' },
        readiness: readiness(ready),
        // Honoured when provider-kubernetes runs with --enable-watches; it polls otherwise.
        watch: true,
      },
    }),
    identity: [
      [claimNamespace, 'spec.forProvider.manifest.metadata.namespace'],
      [claimName, 'spec.forProvider.manifest.metadata.name'],
    ],
    desired: 'spec.forProvider.manifest.',
    observed: 'status.atProvider.manifest.',
  },
};

function readiness(ready: string | undefined): JsonObject {
  return ready === undefined ? { policy: 'DeriveFromObject' } : { policy: 'DeriveFromCelQuery', celQuery: ready };
}

function fieldPatches(fields: readonly Field[], backend: string, from: string, to: string): readonly Patch[] {
  return fields.flatMap(({ name, targets }) => {
    const chosen = targets[backend] ?? 'ignored';
    if (chosen === 'ignored') return [];
    return chosen.map((target) => ({ ...target, from: `${from}.${name}`, to: `${to}${target.to}` }));
  });
}

function functionPatch({ from, to, transforms }: Patch, plans: readonly Plan[]): FunctionPatch {
  return {
    type: 'FromCompositeFieldPath',
    fromFieldPath: from,
    toFieldPath: to,
    ...(transforms.length > 0
      ? { transforms: transforms.map((transform) => functionTransform(transform, plans)) }
      : {}),
  };
}
