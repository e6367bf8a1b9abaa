import { controlPlane } from '@klutch/api';
import type { KubeObject, ResourceType } from '@klutch/kube';
import type { SampleApi, TestCluster } from '../konnector/world.ts';

interface SubjectAccessReview extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly allowed: boolean };
}

const SubjectAccessReviews: ResourceType<SubjectAccessReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

/** Whether the account of an app cluster may list objects of an API in a namespace, as the API server says. */
export async function mayList(
  { admin }: TestCluster,
  where: { readonly clusterNamespace: string; readonly namespace: string; readonly api: SampleApi },
): Promise<boolean> {
  const { group, plural: resource } = where.api.type;
  const account = `system:serviceaccount:${where.clusterNamespace}`;
  const { status } = await admin.resource(SubjectAccessReviews).create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: `${account}:${controlPlane.binder}`,
      groups: ['system:authenticated', 'system:serviceaccounts', account.replace('account', 'accounts')],
      resourceAttributes: { verb: 'list', group, resource, namespace: where.namespace },
    },
  });
  return status?.allowed ?? false;
}
