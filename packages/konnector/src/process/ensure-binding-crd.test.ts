import {
  annotations,
  apiServiceBindingCrd,
  clusterScopedAPIServiceBindingCrd,
  type CustomResourceDefinition,
  isKlutchError,
} from '@klutch/api';
import { KubeError, type KubeClient, type KubeErrorCode, type ResourceClient } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { ensureBindingCrd } from './ensure-binding-crd.ts';

const established = (crd: CustomResourceDefinition): CustomResourceDefinition => ({
  ...crd,
  status: { conditions: [{ type: 'Established', status: 'True' }] },
});

/** A cluster with at most one CRD, whose first requests fail as told. */
function open(
  found: CustomResourceDefinition | undefined,
  failures: readonly KubeErrorCode[] = [],
  refusal?: KubeErrorCode,
) {
  const clock = createManualClock();
  const world = { crd: found, created: 0, replaced: 0, failures: [...failures], refusal };
  const failing = () => {
    const code = world.failures.shift();
    if (code) throw new KubeError(code, 'as the test says');
  };
  const crds = {
    find: async () => {
      failing();
      return world.crd;
    },
    create: async (crd: CustomResourceDefinition) => {
      world.created += 1;
      world.crd = crd;
      return crd;
    },
    replace: async (crd: CustomResourceDefinition) => {
      world.replaced += 1;
      if (world.refusal) throw new KubeError(world.refusal, 'as the test says');
      world.crd = crd;
      return crd;
    },
  } as unknown as ResourceClient<CustomResourceDefinition>;
  const client = { resource: () => crds } as unknown as KubeClient;
  const stop = new AbortController();
  const ensured = ensureBindingCrd(client, { clock, signal: stop.signal, version: '1.2.3', withinMs: 10_000 });
  ensured.catch(() => {});
  return { clock, world, stop, ensured };
}

/** As an older version of ours made it. */
const before: CustomResourceDefinition = {
  ...apiServiceBindingCrd,
  metadata: {
    ...apiServiceBindingCrd.metadata,
    annotations: { [annotations.madeByVersion]: '1.0.0', [annotations.schema]: 'before' },
  },
  spec: {
    ...apiServiceBindingCrd.spec,
    versions: apiServiceBindingCrd.spec.versions.map((version) => ({
      ...version,
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
};

describe('the kind of bindings', () => {
  it('KON-01 is created when it is missing, and waited for', async () => {
    const { clock, world, ensured } = open(undefined);
    await clock.advance(100);
    expect(world.created).toBe(1);
    world.crd = established(apiServiceBindingCrd);
    await clock.advance(1_000);

    expect(await ensured).toMatchObject({ namespaced: true });
    expect(world.created).toBe(1);
  });

  it('KON-04 is used as it is where it is cluster-scoped', async () => {
    const { world, ensured } = open(established(clusterScopedAPIServiceBindingCrd));

    expect(await ensured).toMatchObject({ namespaced: false });
    expect(world.created).toBe(0);
  });

  it('is brought to the schema of this version when an older konnector made it', async () => {
    const { world, ensured } = open(established(before));

    expect(await ensured).toMatchObject({ namespaced: true });
    expect(world.replaced).toBe(1);
    expect(world.crd?.spec.versions).toEqual(apiServiceBindingCrd.spec.versions);
    expect(world.crd?.metadata.annotations?.[annotations.madeByVersion]).toBe('1.2.3');
  });

  it.each(['KUBE_INVALID', 'KUBE_FORBIDDEN'] as const)(
    'is used as it is when it cannot be changed: %s',
    async (code) => {
      const { world, ensured } = open(established(before), [], code);

      expect(await ensured).toMatchObject({ namespaced: true });
      expect(world.crd).toEqual(established(before));
    },
  );

  it('is brought there again when somebody else changed it meanwhile', async () => {
    const { clock, world, ensured } = open(established(before), [], 'KUBE_CONFLICT');
    await clock.advance(100);
    world.refusal = undefined;
    await clock.advance(5_000);

    expect(await ensured).toMatchObject({ namespaced: true });
    expect(world.crd?.spec.versions).toEqual(apiServiceBindingCrd.spec.versions);
  });

  it('survives failures that pass', async () => {
    const { clock, ensured } = open(established(apiServiceBindingCrd), ['KUBE_UNREACHABLE', 'KUBE_TOO_MANY_REQUESTS']);
    await clock.advance(1_000);

    expect(await ensured).toMatchObject({ plural: 'apiservicebindings' });
  });

  it('is not tried again when that cannot help', async () => {
    await expect(open(undefined, ['KUBE_FORBIDDEN']).ensured).rejects.toMatchObject({ code: 'KUBE_FORBIDDEN' });
  });

  it('is given up when it never comes to life', async () => {
    const { clock, ensured } = open(apiServiceBindingCrd);
    await clock.advance(20_000);
    const error: unknown = await ensured.catch((thrown: unknown) => thrown);

    expect(isKlutchError(error, 'KLUTCH_CRD_REJECTED')).toBe(true);
  });

  it('is left alone when it is of another make', async () => {
    const [version] = apiServiceBindingCrd.spec.versions;
    const other = {
      ...apiServiceBindingCrd,
      spec: { ...apiServiceBindingCrd.spec, versions: [{ ...version, name: 'v9' }] },
    } as CustomResourceDefinition;
    const error: unknown = await open(established(other)).ensured.catch((thrown: unknown) => thrown);

    expect(isKlutchError(error, 'KLUTCH_CRD_FOREIGN')).toBe(true);
  });

  it('is not waited for any more when the konnector stops', async () => {
    const { clock, stop, ensured } = open(apiServiceBindingCrd);
    stop.abort(new Error('enough'));
    await clock.advance(5_000);

    await expect(ensured).rejects.toThrow('enough');
  });
});
