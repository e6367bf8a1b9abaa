import type { CustomResourceDefinition } from '@klutch/api';
import { eventually, type PlaneAccess } from '@klutch/kit';
import type { CompositeResourceDefinition } from '@klutch/xrd';
import { send } from './send.ts';

/** A definition as the API server has it, and the CRDs that Crossplane has made of it. */
export interface CrossplaneCrds {
  readonly definition: CompositeResourceDefinition;
  readonly composite: CustomResourceDefinition;
  /** Undefined when the definition offers no claims. */
  readonly claim: CustomResourceDefinition | undefined;
}

const DEFINITIONS = '/apis/apiextensions.crossplane.io/v1/compositeresourcedefinitions';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/**
 * Applies a definition to a plane on which Crossplane runs, and waits until its kinds are served. Rejects with what
 * Crossplane says when they are not. When a definition has changed, its CRDs may follow later.
 */
export async function crossplaneCrdsOf(
  plane: PlaneAccess,
  definition: CompositeResourceDefinition,
): Promise<CrossplaneCrds> {
  const { name } = definition.metadata;
  const { group, claimNames } = definition.spec;
  const path = `${DEFINITIONS}/${name}`;
  await send(plane, 'PATCH', path, definition);
  const expected = claimNames ? ['Established', 'Offered'] : ['Established'];
  const served = await eventually(
    async () => {
      const live = await send<LiveDefinition>(plane, 'GET', path);
      const isTrue = (type: string) => live.status?.conditions?.some((it) => it.type === type && it.status === 'True');
      return expected.every(isTrue) && live;
    },
    { what: `the kinds of ${name} are served`, withinMs: 30_000 },
  ).catch(async (cause: unknown) => {
    throw new Error(`Crossplane does not serve ${name}: ${await warningsAbout(plane, name)}`, { cause });
  });
  return {
    definition: served,
    composite: await send(plane, 'GET', `${CRDS}/${name}`),
    claim: claimNames && (await send(plane, 'GET', `${CRDS}/${claimNames.plural}.${group}`)),
  };
}

interface LiveDefinition extends CompositeResourceDefinition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function warningsAbout(plane: PlaneAccess, name: string): Promise<string> {
  const selector = `involvedObject.name=${name},type=Warning`;
  const path = `/api/v1/namespaces/default/events?fieldSelector=${encodeURIComponent(selector)}`;
  const { items } = await send<{ readonly items: readonly { readonly message: string }[] }>(plane, 'GET', path);
  return items.map(({ message }) => message).join('; ') || 'no reason given';
}
