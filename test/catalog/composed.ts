import { type KubeClient, type ResourceType, type UnknownObject } from '@klutch/kube';
import { claimType } from './scene.ts';

interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** What Crossplane has made of a claim. */
export interface ComposedClaim {
  readonly claim: UnknownObject;
  /** The revision of the Composition that is in use. */
  readonly revision: string;
  /** `spec` of the one object that is composed, as text. */
  readonly spec: string;
}

/** Looks at a claim, its composite and what is composed; undefined: that is not there yet. */
export async function composedOf(
  admin: KubeClient,
  { kind, metadata }: UnknownObject,
): Promise<ComposedClaim | undefined> {
  const ref = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  const claim = await admin.resource(claimType(kind)).get(ref);
  const composite = await referred(admin, (claim['spec'] as { readonly resourceRef?: Reference }).resourceRef);
  const { resourceRefs = [], compositionRevisionRef } = (composite?.['spec'] ?? {}) as {
    readonly resourceRefs?: readonly Reference[];
    readonly compositionRevisionRef?: { readonly name: string };
  };
  const composed = await referred(admin, resourceRefs[0]);
  if (!composed || !compositionRevisionRef) return undefined;
  return { claim, revision: compositionRevisionRef.name, spec: JSON.stringify(composed['spec']) };
}

async function referred(admin: KubeClient, reference: Reference | undefined): Promise<UnknownObject | undefined> {
  if (!reference) return undefined;
  const [group = '', version = ''] = reference.apiVersion.split('/');
  const plural = `${reference.kind.toLowerCase()}s`;
  const type: ResourceType = { group, version, plural, kind: reference.kind, namespaced: false };
  return await admin.resource(type).find({ name: reference.name });
}
