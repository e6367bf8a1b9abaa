import type { CustomResourceDefinition } from '@klutch/api';
import { keyOf, type ObjectRef } from '@klutch/kube';
import { expect, it } from 'vitest';
import { createMemoryLine } from '../epoch/memory-line.fixture.ts';
import type { Link } from '../link/link.ts';
import { noMetrics } from '../process/metrics.ts';
import { createCrdKeeper } from './keep-crd.ts';
import { apiName, sampleBinding, sampleExport, servedCrd } from './schema.fixture.ts';

/** A cluster with one CRD at most, and a cache of it whose watch tells nothing. */
function lagging(live?: CustomResourceDefinition) {
  const requests: string[] = [];
  let shown = live;
  let version = 10;
  const write = async (verb: string, crd: CustomResourceDefinition) => {
    requests.push(verb);
    live = {
      ...servedCrd(),
      ...crd,
      metadata: { uid: 'crd-uid', ...crd.metadata, resourceVersion: String(version++) },
    };
    return live;
  };
  const client = {
    find: async () => (requests.push('find'), live),
    create: (crd: CustomResourceDefinition) => write('create', crd),
    replace: (crd: CustomResourceDefinition) => write('replace', crd),
    patch: (_: ObjectRef, { patch }: { patch: Pick<CustomResourceDefinition, 'metadata'> }) => {
      const { metadata, ...rest } = live ?? servedCrd();
      const annotations = { ...metadata.annotations, ...patch.metadata.annotations };
      return write('patch', { ...rest, metadata: { ...metadata, annotations } });
    },
  };
  const link = {
    tenant: { clusterNamespace: 'tenant', uid: 'tenant-uid' },
    appClusterId: 'app-uid',
    app: { client: { resource: () => client } },
    appLine: createMemoryLine(),
    metrics: noMetrics,
  } as unknown as Link;
  const keeper = createCrdKeeper(link, { list: () => [sampleBinding()], subscribe: () => () => {} }, 'app');
  return {
    requests,
    delete: () => (live = undefined),
    keep: (apiExport = sampleExport()) =>
      keeper.keep(
        {
          binding: sampleBinding(),
          apiExport,
          informer: {
            cache: { get: () => shown } as never,
            learn: (crd) => (shown = crd),
            learnGone: (ref, uid) => {
              if (keyOf(ref) === apiName && shown?.metadata.uid === uid) shown = undefined;
            },
          },
        },
        { signal: new AbortController().signal },
      ),
  };
}

it('reads and writes nothing because the watch has not told of its own write yet', async () => {
  const cluster = lagging();
  await cluster.keep();
  expect(cluster.requests).toContain('create');
  cluster.requests.splice(0);
  const { api } = await cluster.keep();
  expect(api).toBeDefined();
  expect(cluster.requests).toEqual([]);
});

it('does not hold on to a CRD that the server was found not to have', async () => {
  const cluster = lagging();
  await cluster.keep();
  cluster.delete();
  cluster.requests.splice(0);
  const larger = sampleExport({ names: { kind: 'Widget', plural: 'widgets', shortNames: ['wd'] } });
  const { crd } = await cluster.keep(larger);
  expect(cluster.requests).toContain('create');
  expect(crd?.spec.names.shortNames).toEqual(['wd']);
});
