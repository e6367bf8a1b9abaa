import { annotations, bundleNames, type Enrolment, kubeconfigKey } from '@klutch/api';
import { isKubeError, type KubeClient, type Secret, Secrets } from '@klutch/kube';

/**
 * Puts a kubeconfig where the bindings expect it; `before` is the Secret as it was when the need was seen. False when
 * somebody else wrote it since: what they wrote stays.
 */
export async function storeKubeconfig(
  client: KubeClient,
  { namespace, enrolment, before }: { namespace: string; enrolment: Enrolment; before: Secret | undefined },
  kubeconfig: string,
  signal: AbortSignal,
): Promise<boolean> {
  const secrets = client.resource(Secrets);
  const ref = { namespace, name: enrolment.kubeconfigSecret };
  const data = { [kubeconfigKey]: Buffer.from(kubeconfig).toString('base64') };
  const marks = {
    [annotations.backendUrl]: enrolment.backendUrl,
    [annotations.enrolledBy]: bundleNames(enrolment.id).enrolmentSecret,
  };
  try {
    if (!before) {
      const metadata = { ...ref, annotations: marks };
      await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data }, { signal });
      return true;
    }
    const { uid, resourceVersion } = before.metadata;
    const patch = { metadata: { uid, resourceVersion, annotations: marks }, data };
    await secrets.patch(ref, { type: 'merge', patch }, { signal });
    return true;
  } catch (error) {
    if (isKubeError(error, 'KUBE_ALREADY_EXISTS', 'KUBE_CONFLICT')) return false;
    if (before && isKubeError(error, 'KUBE_NOT_FOUND')) return false;
    throw error;
  }
}
