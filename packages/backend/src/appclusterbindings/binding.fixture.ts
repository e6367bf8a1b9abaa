import { type AppClusterBinding, apiVersion, kubeconfigKey, type PermissionClaim } from '@klutch/api';
import { renderKubeconfig, type Secret } from '@klutch/kube';
import type { Offer } from '../templates/catalogue.ts';
import type { StoredBinding } from './binding-labels.ts';

/** A binding `team/shop` that names Secret `app` and exports widgets. */
export function someBinding(
  spec: Partial<AppClusterBinding['spec']> = {},
  annotations: Readonly<Record<string, string>> = {},
): StoredBinding {
  return {
    apiVersion,
    kind: 'AppClusterBinding',
    metadata: { name: 'shop', namespace: 'team', uid: 'u-1', annotations },
    spec: {
      kubeconfigSecretRef: { name: 'app', namespace: 'team', key: kubeconfigKey },
      apiExports: [{ group: 'example.org', resource: 'widgets' }],
      ...spec,
    },
  };
}

/** A Secret `team/app` with a kubeconfig, or with another text. */
export function someSecret(
  text = renderKubeconfig({ server: 'https://app.example.org', user: { token: 's3cret' } }),
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'app', namespace: 'team' },
    data: { [kubeconfigKey]: Buffer.from(text).toString('base64') },
  };
}

export const secretClaim: PermissionClaim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } };

/** An offer of widgets, or of another resource. */
export function someOffer(resource = 'widgets', permissionClaims: readonly PermissionClaim[] = []): Offer {
  const names = { plural: resource, kind: 'Widget' };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.example.org` },
    spec: { group: 'example.org', names, scope: 'Namespaced', versions: [] },
  } as const;
  return { name: `${resource}.example.org`, group: 'example.org', resource, permissionClaims, crd };
}
