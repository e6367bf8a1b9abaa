import { connect, parseKubeconfig } from '@klutch/kube';
import { createTenant } from '../konnector/world.ts';
import type { OpenAnsweringSide } from './answering-side.ts';

/** A control plane with our kinds and the documented rights, where a stand-in answers. */
export const openOurSide: OpenAnsweringSide = async ({ cluster, api }) => {
  const tenant = await createTenant(cluster);
  const kubeconfig = await tenant.kubeconfig();
  const config = parseKubeconfig(kubeconfig, { source: 'the tenant', trust: 'foreign' });
  const binder = connect(config, { userAgent: 'klutch-test/1' });
  return {
    clusterNamespace: tenant.clusterNamespace,
    uid: tenant.uid,
    kubeconfig,
    binder,
    answerRequest: () => tenant.publish(api, { claims: api.claims }),
    answerHeartbeat: async () => undefined,
    serviceNamespace: tenant.serviceNamespace,
    extendSchema: () => tenant.publish(api.extended, { claims: api.claims }),
    close: async () => {
      await binder.close();
      await tenant.close();
    },
  };
};
