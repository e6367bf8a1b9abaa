import { type APIServiceExport, annotations, type CustomResourceDefinition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { sampleBinding, sampleExport } from './schema.fixture.ts';

const told = { [annotations.serviceDescription]: '{"displayName":"Widgets"}' };
const telling: APIServiceExport = { ...sampleExport(), metadata: { ...sampleExport().metadata, annotations: told } };

/** The CRD that the konnector wants for a binding of an export; undefined when the one that is there will do. */
function written(apiExport: APIServiceExport, crd?: CustomResourceDefinition): CustomResourceDefinition | undefined {
  const around = { ownerIsGone: false, tenant: 'tenant/tenant-uid', home: 'app-uid' };
  return decide({ binding: sampleBinding(), apiExport, crd, ...around }).write?.crd;
}

describe('what an export tells about its service', () => {
  it('is told by the CRD that is made for a binding', () => {
    expect(written(telling)?.metadata.annotations).toMatchObject(told);
  });

  it('is told later, too, and no longer when the export does not', () => {
    const [silent, talking] = [written(sampleExport()), written(telling)];

    expect(written(telling, silent)?.metadata.annotations).toMatchObject(told);
    expect(written(telling, talking)).toBeUndefined();
    expect(written(sampleExport(), talking)?.metadata.annotations).not.toHaveProperty(annotations.serviceDescription);
  });
});
