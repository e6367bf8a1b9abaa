import {
  apiServiceBindingCrd,
  APIServiceBindings,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from '@klutch/api';
import type { Interceptor, ResourceClient } from '@klutch/kube';
import { type BoundApis, runBoard, runSchema } from '@klutch/konnector/parts';
import { eventually } from '@klutch/kube/testing';
import { afterEach } from 'vitest';
import {
  type AppSide,
  type Clusters,
  createTenant,
  installCrd,
  openAppSide,
  openLink,
  type RecordedWrite,
  type SampleApi,
  type TestTenant,
} from './world.ts';

/** The part of the konnector that keeps CRDs, at work. */
export interface WorkingSchema {
  readonly schema: BoundApis;
  readonly writes: readonly RecordedWrite[];
  /** Ends it before the test does. */
  end(): Promise<void>;
}

export interface SchemaWorld {
  /** A new tenant and a new corner of the app cluster, with the part at work and with rights on these APIs. */
  open(
    apis: readonly SampleApi[],
    appInterceptors?: readonly Interceptor[],
  ): Promise<WorkingSchema & { tenant: TestTenant; side: AppSide }>;
  /** The part at work for a tenant and a corner that are there already. */
  start(
    tenant: TestTenant,
    side: AppSide,
    apis: readonly SampleApi[],
    appInterceptors?: readonly Interceptor[],
  ): Promise<WorkingSchema>;
  /** CRDs of the app cluster. */
  definitions(): ResourceClient<CustomResourceDefinition>;
  crdOf(api: SampleApi): Promise<CustomResourceDefinition>;
  /** Calls `end` after the test. */
  atEnd(end: () => Promise<void>): void;
}

/** For tests of CRDs; everything opened ends with the test. */
export function schemaWorld(clusters: () => Clusters): SchemaWorld {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function start(
    tenant: TestTenant,
    side: AppSide,
    apis: readonly SampleApi[],
    appInterceptors: readonly Interceptor[] = [],
  ) {
    const { link, writes, signal: linkSignal, close } = await openLink(side, tenant, { apis, appInterceptors });
    const stop = new AbortController();
    const signal = AbortSignal.any([linkSignal, stop.signal]);
    const { informer } = link.app.informers.acquire({ type: APIServiceBindings, namespace: side.bindingNamespace });
    const client = link.app.client.resource(APIServiceBindings);
    const board = runBoard({ informer, client, clock: link.clock, signal });
    const bindings = {
      list: () => [...informer.cache.values()],
      subscribe: (changed: () => void) => informer.subscribe(() => changed()),
    };
    const schema = runSchema({ link, bindings, board, signal });
    await schema.ready;
    let ended = false;
    const end = async () => {
      if (ended) return;
      ended = true;
      stop.abort();
      await Promise.all([schema.stopped, board.stopped]);
      await close();
    };
    endings.push(end);
    return { schema, writes, end };
  }

  const definitions = () => clusters().app.admin.resource(CustomResourceDefinitions);
  return {
    start,
    definitions,
    crdOf: (api) => definitions().get({ name: api.name }),
    atEnd: (end) => void endings.push(end),
    open: async (apis, appInterceptors) => {
      const tenant = await createTenant(clusters().controlPlane);
      endings.push(() => tenant.close());
      const side = await openAppSide(clusters().app);
      await installCrd(side.cluster.admin, apiServiceBindingCrd);
      return { tenant, side, ...(await start(tenant, side, apis, appInterceptors)) };
    },
  };
}

/** Waits until an API is offered for synchronisation. */
export async function isBound(schema: BoundApis, api: SampleApi): Promise<void> {
  await eventually(() => schema.apis().has(api.name), { withinMs: 30_000 });
}

/** Waits until an API is not offered any more. */
export async function isUnbound(schema: BoundApis, api: SampleApi): Promise<void> {
  await eventually(() => !schema.apis().has(api.name), { withinMs: 30_000 });
}
