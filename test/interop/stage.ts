import { apiServiceBindingCrd } from '@klutch/api';
import { type ClusterConfig, type KubeClient, parseKubeconfig, type ResourceType } from '@klutch/kube';
import { type AppSide, type Clusters, installCrd, openAppSide, unique } from '../konnector/world.ts';
import type { AnsweringSide, OpenAnsweringSide } from './answering-side.ts';
import { type Cast, createCast } from './cast.ts';
import { createBinding, requestExport, storeKubeconfig } from './go-cli.ts';
import { recordedApi, type RecordedApi } from './recorded-api.ts';
import { theRequest } from './recording.ts';
import type { Player } from './replay.ts';

/** Two clusters between which recordings are played, or ours runs. */
export interface Stage {
  readonly clusters: Clusters;
  readonly api: RecordedApi;
  readonly cast: Cast;
  readonly uids: Map<string, string>;
  readonly app: AppSide;
  readonly side: AnsweringSide;
  /** Where the user's objects are. It does not exist before the user makes it. */
  readonly appNamespace: string;
  /** The user's CLI, and everybody else who may do everything in the app cluster. */
  readonly cli: Player;
  /** A Go konnector: with all rights in the app cluster, as the tenant on the control plane. */
  readonly konnector: { readonly app: Player; readonly controlPlane: Player };
  /** Plays the Go CLI: Secret, request, binding. */
  bind(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a stage on which a tenant exists and nothing is bound yet. */
export async function openStage(
  clusters: Clusters,
  openSide: OpenAnsweringSide,
  api: RecordedApi = recordedApi(),
): Promise<Stage> {
  const { app: appCluster, controlPlane } = clusters;
  const app = await openAppSide(appCluster);
  await installCrd(appCluster.admin, apiServiceBindingCrd);
  const appNamespace = unique('team');
  const uids = new Map<string, string>();
  const cast = createCast({
    'example.org': api.group,
    'widgets.example.org': api.name,
    'klutch-bind': app.bindingNamespace,
    'team-a': appNamespace,
  });
  const side = await openSide({ cluster: controlPlane, api, cast, uids });
  castTenant(cast, side);
  uids.set(recordedTenantUid(), side.uid);

  const wildcard = await wildcardUser(clusters);
  const players = {
    cli: { client: appCluster.admin, admin: appCluster.admin, cast, uids },
    app: { client: wildcard, admin: appCluster.admin, cast, uids },
    controlPlane: { client: side.binder, admin: controlPlane.admin, cast, uids },
  };
  return {
    clusters,
    api,
    cast,
    uids,
    app,
    side,
    appNamespace,
    cli: players.cli,
    konnector: players,
    bind: async () => {
      await storeKubeconfig(players.cli);
      await requestExport(players.controlPlane);
      await side.answerRequest();
      await createBinding(players.cli);
    },
    close: async () => {
      await wildcard.close();
      await side.close();
    },
  };
}

function castTenant(cast: Cast, { clusterNamespace, kubeconfig }: AnsweringSide): void {
  const config: ClusterConfig = parseKubeconfig(kubeconfig, { source: 'the tenant', trust: 'foreign' });
  cast.assign('<tenant-namespace>', clusterNamespace);
  cast.assign('<port>', new URL(config.server).port);
  if (config.ca?.from === 'data') cast.assign('<ca>', Buffer.from(config.ca.pem).toString('base64'));
  if (config.auth.kind === 'token') cast.assign('<jwt>', config.auth.token);
}

function recordedTenantUid(): string {
  const { answer } = theRequest('go-backend.control-plane', {
    step: 'CLI binds',
    verb: 'create',
    uri: '/api/v1/namespaces',
  });
  return String(answer?.metadata?.['uid']);
}

const rbacGroup = 'rbac.authorization.k8s.io';
const ClusterRoles: ResourceType = roles('clusterroles', 'ClusterRole');
const ClusterRoleBindings: ResourceType = roles('clusterrolebindings', 'ClusterRoleBinding');

/** The Go konnector has all rights in the app cluster; nothing narrower exists for it. */
async function wildcardUser({ app }: Clusters): Promise<KubeClient> {
  const name = unique('go-konnector');
  const apiVersion = `${rbacGroup}/v1`;
  await app.admin.resource(ClusterRoles).create({
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  });
  await app.admin.resource(ClusterRoleBindings).create({
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects: [{ kind: 'User', apiGroup: rbacGroup, name }],
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
  });
  return await app.client({ name });
}

function roles(plural: string, kind: string): ResourceType {
  return { group: rbacGroup, version: 'v1', plural, kind, namespaced: false };
}
