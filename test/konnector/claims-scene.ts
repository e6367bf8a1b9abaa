import { isDeepStrictEqual } from 'node:util';
import {
  type AcceptablePermissionClaim,
  annotations,
  APIServiceNamespaces,
  type ConditionState,
  ConditionType,
  type PermissionClaim,
} from '@klutch/api';
import { type Interceptor, type KubeClient, type KubeObject, type Logger, Secrets } from '@klutch/kube';
import {
  type AcceptedClaim,
  type BindingBoard,
  type BindingRef,
  runClaims,
  runNamespaces,
  type RunningClaims,
} from '@klutch/konnector/parts';
import { eventually } from '@klutch/kube/testing';
import {
  type Clusters,
  createTenant,
  type Door,
  openAppSide,
  openLink,
  type RecordedWrite,
  type SampleApi,
  sampleApi,
} from './world.ts';

export type Claim = Omit<AcceptablePermissionClaim, 'version' | 'state'>;

export interface ClaimsSceneOptions {
  /** What the tenant may read and write besides its API. Default: Secrets and ConfigMaps. */
  readonly granted?: readonly PermissionClaim[];
  /** An app namespace that exists already. Default: a new one. */
  readonly appNamespace?: string;
}

/** Two clusters, a tenant, and one app namespace `app` with its place `service` on the control plane. */
export interface ClaimsScene {
  readonly app: KubeClient;
  readonly controlPlane: KubeClient;
  readonly appNamespace: string;
  readonly service: string;
  readonly api: SampleApi;
  /** Gives the tenant rights on these types, and on no others besides its API. */
  grant(claims: readonly PermissionClaim[]): Promise<void>;
  /** The way from the tenant to the control plane. */
  readonly door: Door;
  /** One more app namespace with its place. */
  place(): Promise<{ readonly appNamespace: string; readonly service: string }>;
  /** Starts a konnector's claims on the type of the first claim. */
  start(claims: readonly Claim[], options?: StartOptions): Promise<StartedClaims>;
  close(): Promise<void>;
}

interface StartOptions {
  readonly type?: { readonly group: string; readonly version: string; readonly resource: string };
  readonly log?: Logger;
  readonly isSetBack?: boolean;
  readonly hasMark?: boolean;
  readonly controlPlaneInterceptors?: readonly Interceptor[];
  readonly appInterceptors?: readonly Interceptor[];
  /** Whether to wait until it works. Default true. */
  readonly wait?: boolean;
  /** Whether places of deleted Namespaces are given up when the claims are through with them. Default false. */
  readonly givesUp?: boolean;
}

export interface StartedClaims {
  readonly running: RunningClaims;
  readonly writes: readonly RecordedWrite[];
  /** Writes about objects, without Events. */
  objectWrites(): readonly RecordedWrite[];
  update(claims: readonly Claim[]): void;
  condition(): ConditionState | undefined;
  /** Waits until ClaimsSynced is what is expected; the message. */
  becomes(status: string, reason?: string): Promise<string>;
  stop(): Promise<void>;
}

export const secretsAndConfigMaps: readonly PermissionClaim[] = [
  { group: '', resource: 'secrets', version: 'v1' },
  { group: '', resource: 'configmaps', version: 'v1' },
];

const binding: BindingRef = { name: 'widgets.example.org', namespace: 'klutch-bind', uid: 'binding-1' };

export async function openClaimsScene(clusters: Clusters, options: ClaimsSceneOptions = {}): Promise<ClaimsScene> {
  const tenant = await createTenant(clusters.controlPlane);
  const side = await openAppSide(clusters.app);
  const api = sampleApi();
  await tenant.publish(api, { claims: options.granted ?? secretsAndConfigMaps });
  const mapped: string[] = [];
  const started = new Set<StartedClaims>();

  async function place(given?: string) {
    const appNamespace = given ?? (await side.namespace()).metadata.name;
    const { link, close } = await openLink(side, tenant, { apis: [api] });
    const stop = new AbortController();
    const { map, ready, stopped } = runNamespaces({ link, stillUsed: () => true, signal: stop.signal });
    await ready;
    map.want(appNamespace);
    const service = await tenant.serviceNamespace(appNamespace);
    // Otherwise whoever comes next would write it down.
    const mapping = { namespace: tenant.clusterNamespace, name: appNamespace };
    await eventually(async () => {
      const { metadata } = await clusters.controlPlane.admin.resource(APIServiceNamespaces).get(mapping);
      return metadata.annotations?.[annotations.serviceNamespace] === service;
    });
    stop.abort();
    await stopped;
    await close();
    mapped.push(appNamespace);
    return { appNamespace, service };
  }

  async function start(claims: readonly Claim[], given: StartOptions = {}): Promise<StartedClaims> {
    const [first] = claims;
    const type = given.type ?? { group: first?.group ?? '', version: 'v1', resource: first?.resource ?? '' };
    // Whoever cleans up after claims needs the rights that they had given.
    const rights = { apis: [api], claims: claims.length > 0 ? claims : [type] };
    const { link, writes, close } = await openLink(side, tenant, { ...given, ...rights });
    const stop = new AbortController();
    const { signal } = stop;
    const states = new Map<string, ConditionState>();
    let running: RunningClaims | undefined;
    const stillUsed = (one: string) => !given.givesUp || (running?.stillUses(one) ?? true);
    const namespaces = runNamespaces({ link, stillUsed, signal });
    await namespaces.ready;
    await eventually(() => mapped.every((name) => namespaces.map.of(name).state === 'ready'), { withinMs: 30_000 });
    const part = runClaims({
      link,
      type,
      claims: claims.map(accepted),
      namespaces: namespaces.map,
      board: boardInto(states),
      signal,
    });
    running = part;
    const condition = () => states.get(ConditionType.ClaimsSynced);
    const result: StartedClaims = {
      running: part,
      writes,
      objectWrites: () => writes.filter(({ path }) => !path.includes('/events')),
      update: (next) => part.update(next.map(accepted)),
      condition,
      becomes: (status, reason) =>
        eventually(
          () => {
            const state = condition();
            if (state?.status === status && (reason === undefined || state.reason === reason))
              return state.message ?? '-';
            throw new Error(`ClaimsSynced is ${JSON.stringify(state)}`);
          },
          { withinMs: 60_000 },
        ),
      stop: async () => {
        started.delete(result);
        stop.abort();
        await Promise.all([part.stopped, namespaces.stopped]);
        await link.events.flush();
        await close();
      },
    };
    started.add(result);
    if (given.wait !== false) await part.ready;
    return result;
  }

  const first = await place(options.appNamespace);
  return {
    app: clusters.app.admin,
    controlPlane: clusters.controlPlane.admin,
    ...first,
    api,
    door: tenant.door,
    grant: (claims) => tenant.publish(api, { claims }),
    place: () => place(),
    start,
    close: async () => {
      await Promise.all([...started].map((one) => one.stop()));
      await tenant.close();
    },
  };
}

/** Waits for a Secret with that content; undefined waits until there is none. */
export function secretWith(
  client: KubeClient,
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>> | undefined,
) {
  return eventually(
    async () => {
      const found = await client.resource(Secrets).find({ namespace, name });
      if (data === undefined && found === undefined) return true;
      const texts = Object.entries(found?.data ?? {}).map(([key, value]) => [key, plain(value)]);
      if (data && found && isDeepStrictEqual(Object.fromEntries(texts), data)) return found;
      throw new Error(`${namespace}/${name} is ${JSON.stringify(found)}`);
    },
    { withinMs: 30_000, everyMs: 10 },
  );
}

export function secret(namespace: string, name: string, data: Readonly<Record<string, string>>, more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name, ...('metadata' in more ? (more.metadata as object) : {}) },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encoded(value)])),
    ...without(more),
  };
}

export function configMap(namespace: string, name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data };
}

export const encoded = (text: string) => Buffer.from(text).toString('base64');
const plain = (text: string) => Buffer.from(text, 'base64').toString();

/** Waits until something made after it has arrived, so that what should not arrive had its chance. */
export async function passOne(from: KubeClient, source: string, to: KubeClient, target: string): Promise<void> {
  const name = `pass-${Math.random().toString(36).slice(2, 8)}`;
  await from.resource(Secrets).create(secret(source, name, { passed: 'yes' }));
  await secretWith(to, target, name, { passed: 'yes' });
}

function without(more: object): object {
  const { metadata: _, ...rest } = more as { metadata?: KubeObject['metadata'] };
  return rest;
}

function accepted(claim: Claim): AcceptedClaim {
  return { binding, api: binding.name, claim: { version: 'v1', state: 'Accepted', ...claim } };
}

function boardInto(states: Map<string, ConditionState>): BindingBoard {
  return {
    report: (_, state) => void states.set(state.type, state),
    withdraw: (_, type) => void states.delete(type),
    reportProvider: () => {},
  };
}
