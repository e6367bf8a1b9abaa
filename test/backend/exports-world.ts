import {
  annotations,
  APIServiceExportRequests,
  type APIServiceExportTemplate,
  APIServiceExportTemplates,
  apiVersion,
  controlPlane as names,
  CustomResourceDefinitions,
  crds,
  labels,
  type PermissionClaim,
  templateGroup,
} from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import {
  type Clock,
  connect,
  type Controller,
  createSharedInformers,
  type Interceptor,
  isKubeError,
  type KubeClient,
  type Namespace,
  Namespaces,
  type ObjectRef,
  type ResourceClient,
  silentLogger,
  systemClock,
} from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { runExportRequests } from '../../packages/backend/src/exportrequests/run-export-requests.ts';
import type { ExportSettings } from '../../packages/backend/src/exports/new-export.ts';
import { runExports } from '../../packages/backend/src/exports/run-exports.ts';
import { binderRules } from '../../packages/backend/src/grants/binder-rules.ts';
import { createOwnRights } from '../../packages/backend/src/grants/own-rights.ts';
import { runOwnRights } from '../../packages/backend/src/grants/run-own-rights.ts';
import { ensureRoleBinding } from '../../packages/backend/src/grants/role-bindings.ts';
import { ensureRole } from '../../packages/backend/src/grants/roles.ts';
import { ServiceAccounts, type TokenRequest } from '../../packages/backend/src/objects/service-account.ts';
import { runServiceNamespaces } from '../../packages/backend/src/servicenamespaces/run-service-namespaces.ts';
import type { CompleteCatalogue } from '../../packages/backend/src/templates/catalogue.ts';
import { openCatalogue } from '../../packages/backend/src/templates/open-catalogue.ts';
import { installKinds } from '../konnector/clusters.ts';
import {
  installCrd,
  openOwnCluster,
  type RecordedWrite,
  recordWrites,
  type SampleApi,
  type TestCluster,
  unique,
} from '../konnector/world.ts';
import { sharedAccount, sharedMark } from './backend-account.ts';

export { stayQuiet, widget, type SampleApi, sampleApi, type TestCluster, unique } from '../konnector/world.ts';

/**
 * Declares the same tests on both tiers, each with a control plane that no other file uses: the controllers work on all
 * app clusters there are.
 */
export function onOwnPlane(
  title: string,
  body: (plane: () => TestCluster, tier: Tier) => void,
  kinds: typeof crds = crds,
): void {
  const suite = (tier: Tier) => () => {
    let plane: TestCluster | undefined;
    beforeAll(async () => {
      plane = await openOwnCluster(tier);
      await installKinds(plane, kinds);
    }, 180_000);
    afterEach(closeAll);
    afterAll(async () => await plane?.close());
    body(() => {
      if (!plane) throw new Error('The control plane is there only while tests run.');
      return plane;
    }, tier);
  };
  describe(`${title} (embedded)`, suite('embedded'));
  describeReal(`${title} (real)`, suite('real'));
}

/** What a test has opened, also one that fails. */
const opened: (() => Promise<void>)[] = [];

async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

/** Waits with a deadline that leaves room for a loaded machine. */
export async function soon<T>(look: () => T | false | undefined | Promise<T | false | undefined>): Promise<T> {
  return await eventually(look, { withinMs: 60_000, everyMs: 50 });
}

export interface BackendSettings extends Partial<ExportSettings> {
  /** Default 100. */
  readonly namespacesPerCluster?: number;
  readonly clock?: Clock;
  readonly interceptors?: readonly Interceptor[];
  /** APIs of which rights can be handed out, and in whose service namespaces objects may be looked for. */
  readonly apis?: readonly SampleApi[];
  /** Permission claims of each of them. */
  readonly claims?: readonly PermissionClaim[];
}

/** The controllers under test, with no more rights than they need. */
export interface RunningBackend {
  readonly catalogue: CompleteCatalogue;
  readonly exports: Controller;
  readonly requests: Controller;
  readonly namespaces: Controller;
  readonly writes: readonly RecordedWrite[];
  /** Ends it before the end of the test. */
  stop(): Promise<void>;
}

export async function startBackend(plane: TestCluster, settings: BackendSettings = {}): Promise<RunningBackend> {
  const { consumerScope = 'Namespaced', isolation = 'Prefixed', clock = systemClock, apis = [] } = settings;
  const account = await sharedAccount(plane, {
    consumerScope,
    offers: apis.map(({ type }) => ({
      group: type.group,
      resource: type.plural,
      permissionClaims: settings.claims ?? [],
    })),
  });
  const writes: RecordedWrite[] = [];
  const client = connect(account.config, {
    userAgent: 'klutch-backend/test',
    interceptors: [...(settings.interceptors ?? []), recordWrites('control-plane', writes)],
  });
  const stop = new AbortController();
  // Rights are effective a moment after they were written; whoever asks too early waits.
  const informers = createSharedInformers(client, stop.signal, { backoff: { baseMs: 50, capMs: 200 } });
  const catalogue = openCatalogue({ informers, consumerScope, signal: stop.signal, clock });
  const options = {
    consumerScope,
    isolation,
    quotas: { namespacesPerCluster: settings.namespacesPerCluster ?? 100 },
  };
  const rights = createOwnRights({ client, clock, ...account });
  const deps = { client, informers, catalogue, options, rights, clock, log: silentLogger, signal: stop.signal };
  const controllers = [
    runExports(deps),
    runExportRequests(deps),
    runServiceNamespaces(deps),
    runOwnRights(deps),
  ] as const;
  await Promise.all(controllers.map(({ ready }) => ready));
  const [exports, requests, namespaces] = controllers;
  const end = async () => {
    stop.abort();
    await Promise.all(controllers.map(({ stopped }) => stopped));
    await informers.stopped;
    await client.close();
  };
  opened.push(end);
  return {
    catalogue,
    exports,
    requests,
    namespaces,
    writes,
    stop: end,
  };
}

/** An app cluster as the control plane knows it. */
export interface Registered {
  readonly name: string;
  readonly namespace: Namespace;
  /** With the rights of the app cluster. */
  readonly binder: KubeClient;
}

/** Registers an app cluster of that tenant. */
export async function register(
  plane: TestCluster,
  tenantName?: string,
  name: string = unique('cluster'),
): Promise<Registered> {
  const { admin, url, caCertificate } = plane;
  const notes: Record<string, string> = tenantName === undefined ? {} : { [annotations.tenantName]: tenantName };
  const namespace = await admin.resource(Namespaces).create({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, annotations: notes, labels: { [labels.backend]: await sharedMark(plane) } },
  });
  await admin.resource(ServiceAccounts).create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: names.binder, namespace: name },
  });
  await ensureRole(admin, { name: names.binder, namespace: name, rules: binderRules });
  await ensureRoleBinding(admin, { clusterNamespace: name, namespace: name });
  const token = await tokenFor(admin, name);
  const binder = connect(
    { server: url, source: 'the test', ca: { from: 'data', pem: caCertificate }, auth: { kind: 'token', token } },
    { userAgent: 'klutch-test/1' },
  );
  opened.push(() => binder.close());
  return { name, namespace, binder };
}

async function tokenFor(admin: KubeClient, namespace: string): Promise<string> {
  const body: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name: names.binder, namespace },
    spec: { expirationSeconds: 3600 },
  };
  const answer = await admin.resource(ServiceAccounts).create({ ...body }, { subresource: 'token' });
  return (answer as unknown as TokenRequest).status?.token ?? '';
}

export interface TemplateSettings {
  readonly claims?: readonly PermissionClaim[];
  readonly allowedTenants?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Creates or changes the template of an API, for as long as the test lasts. */
export async function offer({ admin }: TestCluster, api: SampleApi, settings: TemplateSettings = {}): Promise<void> {
  const { claims = [], allowedTenants, name = api.type.group, namespace = 'default' } = settings;
  const templates = admin.resource(APIServiceExportTemplates);
  opened.push(() => deleted(templates, { namespace, name }));
  await templates.apply(
    {
      apiVersion: `${templateGroup}/v1alpha1`,
      kind: 'APIServiceExportTemplate',
      metadata: {
        name,
        namespace,
        ...(allowedTenants === undefined ? {} : { annotations: { [annotations.allowedTenants]: allowedTenants } }),
      },
      spec: { APIServiceSelector: { group: api.type.group, resource: api.type.plural }, permissionClaims: claims },
    },
    { fieldManager: 'klutch-test', force: true },
  );
}

async function deleted(client: ResourceClient<APIServiceExportTemplate>, ref: ObjectRef): Promise<void> {
  try {
    await client.delete(ref);
  } catch (error) {
    if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
  }
}

/** Installs the CRD of an API and offers it. */
export async function provide(plane: TestCluster, api: SampleApi, settings: TemplateSettings = {}): Promise<void> {
  await installCrd(plane.admin, api.crd);
  await offer(plane, api, settings);
}

export async function withdraw({ admin }: TestCluster, api: SampleApi): Promise<void> {
  await admin.resource(APIServiceExportTemplates).delete({ namespace: 'default', name: api.type.group });
}

export async function removeCrd({ admin }: TestCluster, api: SampleApi): Promise<void> {
  await admin.resource(CustomResourceDefinitions).delete({ name: api.name });
}

/** Asks for an API as the CLI does: with the credential of the app cluster. */
export async function request({ binder, name: namespace }: Registered, api: SampleApi, name = api.name): Promise<void> {
  await binder.resource(APIServiceExportRequests).create({
    apiVersion,
    kind: 'APIServiceExportRequest',
    metadata: { name, namespace },
    spec: { resources: [{ group: api.type.group, resource: api.type.plural }] },
  });
}
