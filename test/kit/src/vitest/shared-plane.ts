import { inject } from 'vitest';

import { KitError } from '../kit-error.ts';
import type { PlaneAccess } from '../plane/plane.ts';
import { askForSharedPlane } from '../tiers/ask-for-shared-plane.ts';
import { CROSSPLANE_PLANE } from '../tiers/shared-plane-host.ts';
import type { ProvidedKit } from './provided.ts';

/**
 * A plane that all test files of this run share, started when the first of them asks. Work in namespaces of your own
 * (`createNamespace`) and leave cluster-wide objects under names that no other test uses. Tests of several clusters ask
 * for further planes by `name`.
 */
export function sharedPlane(name?: string): Promise<PlaneAccess> {
  const { sharedPlaneSocket }: ProvidedKit = inject('klutchKit');
  return askForSharedPlane(sharedPlaneSocket, name);
}

/**
 * A plane that all test files of this run share and on which Crossplane runs. Give definitions groups, and Compositions
 * names, that no other test uses; those of the default catalogue are there for several tests, so leave them as they are.
 * Suites that ask for it need `crossplane`.
 */
export function sharedCrossplane(): Promise<PlaneAccess> {
  return sharedPlane(CROSSPLANE_PLANE);
}

/** Creates a namespace with a unique name that starts with `prefix`, and returns the name. It goes with the plane. */
export async function createNamespace(plane: PlaneAccess, prefix = 'test'): Promise<string> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: `${prefix}-` } };
  const answer = await plane.admin.request<CreatedNamespace>('POST', '/api/v1/namespaces', { body });
  if (answer.status === 201) return answer.body.metadata.name;
  throw new KitError('KLUTCH_KIT_USAGE', `cannot create a namespace: ${answer.body.message}`);
}

interface CreatedNamespace {
  readonly metadata: { readonly name: string };
  readonly message?: string;
}
