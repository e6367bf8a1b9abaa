import { APIServiceNamespaces, type Condition, goServiceNamespaceName } from '@klutch/api';
import {
  connect,
  informerSource,
  isKubeError,
  type KubeObject,
  Namespaces,
  parseKubeconfig,
  refOf,
  runController,
  Secrets,
  startInformer,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { expect } from 'vitest';
import { installCrd } from '../konnector/world.ts';
import type { AnsweringSide, AnsweringSideOptions, OpenAnsweringSide } from './answering-side.ts';
import { expectAsRecorded } from './as-recorded.ts';
import { withoutStatus } from './recorded-api.ts';
import { type Player, replay, type ReplayOptions } from './replay.ts';
import { type RecordedObject, type RecordedRequest, requestsOf, theRequest } from './recording.ts';

export interface GoBackendOptions {
  /** Rights in a service namespace begin to exist only after this, although the namespace is announced. */
  readonly rightsAfter?: () => Promise<unknown>;
}

/**
 * A Go backend, played from its recording: the same objects with the same content in the same order. Only its
 * ClusterRoleBinding, which it creates and deletes over and over, is left out: nobody may depend on it.
 */
export const openGoBackend: OpenAnsweringSide = (options) => openGoBackendWith({}, options);

/** A Go backend that is not quite as it was recorded. */
export async function openGoBackendWith(
  { rightsAfter }: GoBackendOptions,
  options: AnsweringSideOptions,
): Promise<AnsweringSide> {
  const { cluster, api, cast, uids } = options;
  const { admin } = cluster;
  const player: Player = { client: admin, admin, cast, uids };
  const play = playWith(player);

  await installCrd(admin, api.crd);
  await ensureBaseRole(player);
  const created = await play(bindStep('create', '/api/v1/namespaces'));
  const { name: clusterNamespace = '', uid = '' } = created.metadata;
  cast.assign('<tenant-namespace>', clusterNamespace);
  await play(bindStep('create', `${klutch}/clusterbindings`));
  await play(bindStep('create', `${rbac}/namespaces/<tenant-namespace>/rolebindings`));
  await play(bindStep('create', `${tenantApi}/serviceaccounts`));
  await play(bindStep('create', `${rbac}/clusterroles`));
  await play(bindStep('create', `${tenantApi}/secrets`));
  await play(bindStep('patch', `${klutch}/clusterbindings/cluster/status`));
  const token = await tokenOf(options, clusterNamespace);
  cast.assign('<jwt>', token);
  cast.assign('<ca>', Buffer.from(cluster.caCertificate).toString('base64'));
  cast.assign('<port>', new URL(cluster.url).port);
  const secret = await play(bindStep('create', `${tenantApi}/secrets`, 1));
  const kubeconfig = Buffer.from((secret['data'] as { kubeconfig: string }).kubeconfig, 'base64').toString();
  const binder = connect(parseKubeconfig(kubeconfig, { source: 'the Go backend', trust: 'foreign' }), {
    userAgent: 'klutch-test/1',
  });
  const namespaces = answerNamespaces(player, clusterNamespace, rightsAfter);

  async function publish(): Promise<void> {
    const request = bindStep('create', `${klutch}/apiserviceexports`);
    if (api.hasStatusSubresource) return void (await play(request));
    const adapt = (body: RecordedObject): RecordedObject => ({ ...body, spec: withoutStatus(body).spec });
    expect((await replay(request, player, { adapt })).status).toBe(request.status);
  }

  return {
    clusterNamespace,
    uid,
    kubeconfig,
    binder,
    answerRequest: async () => {
      await publish();
      await play(bindStep('update', `${rbac}/clusterroles/klutch-binder-<tenant-namespace>`));
      const inSync = bindStep('patch', `${klutch}/apiserviceexports/widgets.example.org/status`);
      expect((await replay(inSync, player)).status).toBe(inSync.status);
      await play(bindStep('patch', `${klutch}/apiserviceexportrequests/widgets.example.org/status`));
    },
    answerHeartbeat: async () => {
      const request = bindStep('patch', `${klutch}/clusterbindings/cluster/status`, 1);
      const { recorded, status } = await replay(request, player, { adapt: onlyOwnConditions });
      expect(status).toBe(recorded.status);
    },
    serviceNamespace: async (appNamespace) =>
      await eventually(
        async () => {
          const ref = { namespace: clusterNamespace, name: appNamespace };
          return (await admin.resource(APIServiceNamespaces).find(ref))?.status?.namespace || undefined;
        },
        { withinMs: 30_000 },
      ),
    extendSchema: async () => {
      await installCrd(admin, api.extended.crd);
      const uri = `${klutch}/apiserviceexports/widgets.example.org`;
      const request = theRequest('go-backend.control-plane', { step: 'schema gains a field', verb: 'patch', uri });
      // What else the answer holds is the konnector's doing.
      expect((await replay(request, player)).status).toBe(request.status);
    },
    close: async () => {
      await namespaces.stop();
      await binder.close();
    },
  };
}

const klutch = '/apis/klutch.anynines.com/v1alpha1/namespaces/<tenant-namespace>';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const tenantApi = '/api/v1/namespaces/<tenant-namespace>';

function bindStep(verb: RecordedRequest['verb'], uri: string, nth = 0): RecordedRequest {
  return theRequest('go-backend.control-plane', { step: 'CLI binds', verb, uri }, nth);
}

function playWith(player: Player) {
  return async (request: RecordedRequest, options?: ReplayOptions): Promise<KubeObject & Record<string, unknown>> => {
    const played = await replay(request, player, options);
    const answer = played.answer as KubeObject & Record<string, unknown>;
    // A name that the server made up is known only now.
    const name = answer.metadata?.name ?? '';
    expectAsRecorded(
      played,
      request.uri === '/api/v1/namespaces' ? player.cast.with({ '<tenant-namespace>': name }) : player.cast,
    );
    return answer;
  };
}

/** At its start the Go backend creates the role of all tenants or, as here, finds it and brings it to its own form. */
async function ensureBaseRole(player: Player): Promise<void> {
  const [create, , update] = requestsOf('go-backend.control-plane', 'backend starts').slice(-3);
  if (!create || !update) throw new Error('The recording lacks the role of tenants.');
  await eventually(
    async () => {
      expect([201, 409]).toContain((await replay(create, player)).status);
      // Tests that run at the same time bring the role to another form with the same rights.
      return (await replay(update, player)).status === 200;
    },
    { withinMs: 30_000, everyMs: 50 },
  );
}

async function tokenOf({ cluster }: AnsweringSideOptions, namespace: string): Promise<string> {
  const token = await eventually(
    async () => (await cluster.admin.resource(Secrets).get({ namespace, name: 'klutch-binder' })).data?.['token'],
    { withinMs: 30_000, everyMs: 20 },
  );
  return Buffer.from(token, 'base64').toString();
}

/** The backend sets these and writes back the others as it saw them. */
const ownConditions = ['Ready', 'Healthy'];

function onlyOwnConditions(body: RecordedObject, current: KubeObject | undefined): RecordedObject {
  const own = conditionsOf(body).filter(({ type }) => ownConditions.includes(type));
  const others = conditionsOf(current ?? {}).filter(({ type }) => !ownConditions.includes(type));
  return { ...body, status: { conditions: [...own, ...others] } };
}

function conditionsOf(object: object): readonly Condition[] {
  return (object as { status?: { conditions?: readonly Condition[] } }).status?.conditions ?? [];
}

/** For every APIServiceNamespace: Namespace, RoleBinding, status, as recorded; and the end of the Namespace with it. */
function answerNamespaces(
  player: Player,
  clusterNamespace: string,
  rightsAfter: GoBackendOptions['rightsAfter'],
): { stop(): Promise<void> } {
  const stop = new AbortController();
  const { admin } = player;
  const informer = startInformer(
    { client: admin.resource(APIServiceNamespaces), namespace: clusterNamespace },
    stop.signal,
  );
  const answers = requestsOf('go-backend.control-plane', 'user creates widget w1 (first in namespace team-a)');
  // Last are the rights, if they are to come late.
  const inOrder = rightsAfter ? [...answers.filter(isNoRight), ...answers.filter((one) => !isNoRight(one))] : answers;
  const controller = runController({
    name: 'go-backend',
    sources: [informerSource(informer)],
    signal: stop.signal,
    reconcile: async (key) => {
      const { name } = refOf(key);
      const service = goServiceNamespaceName(clusterNamespace, name);
      const asked = informer.cache.getByKey(key);
      if (!asked) return deleteNamespace(service);
      if (asked.status?.namespace) return;
      const cast = player.cast.with({ 'team-a': name, '<service-namespace>': service });
      for (const request of inOrder) {
        if (!isNoRight(request)) await rightsAfter?.();
        const { status, answer } = await replay(request, { ...player, cast });
        // It asks its cache first, so that a second try goes on where the first one ended.
        if (status === 409 && request.verb === 'create') continue;
        if (status >= 300) throw new Error(`${request.uri} was answered with ${status}: ${JSON.stringify(answer)}`);
      }
    },
  });
  return {
    stop: async () => {
      stop.abort();
      await Promise.all([controller.stopped, informer.stopped]);
    },
  };

  function isNoRight({ uri }: RecordedRequest): boolean {
    return !uri.endsWith('/rolebindings');
  }

  async function deleteNamespace(name: string): Promise<void> {
    try {
      await admin.resource(Namespaces).delete({ name });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }
}
