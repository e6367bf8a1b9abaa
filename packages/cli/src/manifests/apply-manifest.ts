import { isKubeError, type KubeClient, type UnknownObject } from '@klutch/kube';
import { withoutFields } from './field-path.ts';
import { typeOf } from './manifest-types.ts';

/** Under this name the command owns what it has applied. */
export const cliFieldManager = 'klutch-cli';

export interface ApplyManifestOptions {
  readonly signal?: AbortSignal;
  /** Ask the API server whether it would go, and change nothing. */
  readonly dryRun?: boolean;
}

/**
 * Applies a manifest by server-side apply. Fields that somebody else has given another value stay theirs, except for those
 * without which an upgrade would be none: the image, and what roles are about.
 */
export async function applyManifest(
  client: KubeClient,
  manifest: UnknownObject,
  { signal, dryRun }: ApplyManifestOptions = {},
): Promise<UnknownObject> {
  const resource = client.resource(typeOf(manifest));
  const options = { fieldManager: cliFieldManager, signal, dryRun };
  try {
    return await resource.apply(manifest, options);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_CONFLICT')) throw error;
    const contested = (error.body?.details?.causes ?? []).map(({ field = '' }) => field);
    const theirs = contested.filter((field) => !ourFields.test(field));
    return resource.apply(withoutFields(manifest, theirs), { ...options, force: true });
  }
}

const ourFields = /^\.(?:rules|subjects|roleRef|spec\.template\.spec\.containers\[name="konnector"\]\.image)/;
