import type { ApiObject } from '../../objects/api-object.ts';

/** Where workloads find the certificate authority of the server. */
export const ROOT_CA_NAME = 'kube-root-ca.crt';

const DESCRIPTION = 'kubernetes.io/description';
const DESCRIPTION_TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Pure: the ConfigMap with the certificate authority as it should be in a namespace; undefined when it is. */
export function wantedRootCa(
  found: ApiObject | undefined,
  namespace: string,
  certificate: string,
): ApiObject | undefined {
  const annotations = found?.metadata.annotations ?? {};
  if (isComplete(found, certificate) && annotations[DESCRIPTION]) return undefined;
  return {
    ...(found ?? { apiVersion: 'v1', kind: 'ConfigMap' }),
    metadata: {
      ...(found?.metadata ?? { name: ROOT_CA_NAME, namespace }),
      annotations: { ...annotations, [DESCRIPTION]: DESCRIPTION_TEXT },
    },
    data: { 'ca.crt': certificate },
  };
}

function isComplete(found: ApiObject | undefined, certificate: string): boolean {
  const data = Object.entries((found?.['data'] ?? {}) as Record<string, string>);
  return data.length === 1 && data[0]?.[0] === 'ca.crt' && data[0][1] === certificate;
}
