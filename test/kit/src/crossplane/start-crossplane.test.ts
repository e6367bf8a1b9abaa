import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../eventually.ts';
import type { Plane } from '../plane/plane.ts';
import { startPlane } from '../plane/start-plane.ts';
import { isAlive } from '../process/process-identity.ts';
import { describeReal } from '../vitest/index.ts';
import { type Crossplane, startCrossplane } from './start-crossplane.ts';

describeReal(
  'Crossplane',
  () => {
    let plane: Plane;
    let crossplane: Crossplane;
    beforeAll(async () => {
      plane = await startPlane();
      crossplane = await startCrossplane({ plane });
    });
    afterAll(() => plane.stop());

    it('serves definitions as soon as it is started', async () => {
      const definitions = '/apis/apiextensions.crossplane.io/v1/compositeresourcedefinitions';
      const body = {
        apiVersion: 'apiextensions.crossplane.io/v1',
        kind: 'CompositeResourceDefinition',
        metadata: { name: 'xparcels.post.example' },
        spec: {
          group: 'post.example',
          names: { kind: 'XParcel', plural: 'xparcels' },
          versions: [
            { name: 'v1', served: true, referenceable: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      };
      expect(await plane.admin.request('POST', definitions, { body })).toMatchObject({ status: 201 });
      const parcels = async () => (await plane.admin.request('GET', '/apis/post.example/v1/xparcels')).status === 200;
      await eventually(parcels, { what: 'composites are served' });
    });

    it('ends with its plane', async () => {
      const { pids } = crossplane;
      const alive = () => Object.values(pids).map((pid) => isAlive({ pid, startTicks: 0 }));
      expect(alive()).toEqual([true, true]);
      await plane.stop();
      expect(alive()).toEqual([false, false]);
    });
  },
  { needs: ['crossplane'] },
);
