import { randomBytes } from 'node:crypto';
import { bundleNames } from '@klutch/api';
import { isKubeError, type KubeClient, type Secret, Secrets } from '@klutch/kube';

/** Key in the Secret. */
const dataKey = 'key';

/**
 * The key by which the backend recognises this app cluster when it presents the same token again. It is made once, stored
 * before it is first used, and in no bundle: the bundle alone cannot be exchanged a second time.
 */
export async function enrolmentKey(
  client: KubeClient,
  { namespace, id }: { readonly namespace: string; readonly id: string },
  signal: AbortSignal,
): Promise<string> {
  const secrets = client.resource(Secrets);
  const ref = { namespace, name: bundleNames(id).enrolmentKeySecret };
  const found = keyIn(await secrets.find(ref, { signal }));
  if (found) return found;
  const key = randomBytes(32).toString('base64url');
  try {
    const data = { [dataKey]: Buffer.from(key).toString('base64') };
    await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata: ref, type: 'Opaque', data }, { signal });
    return key;
  } catch (error) {
    if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
    const other = keyIn(await secrets.get(ref, { signal }));
    if (other) return other;
    throw new Error(`Secret ${ref.namespace}/${ref.name} holds no key; delete it.`, { cause: error });
  }
}

function keyIn(secret: Secret | undefined): string | undefined {
  return Buffer.from(secret?.data?.[dataKey] ?? '', 'base64').toString('utf8') || undefined;
}
