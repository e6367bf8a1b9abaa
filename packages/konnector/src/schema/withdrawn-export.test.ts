import { annotations } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { apiDigest } from './exported-api.ts';
import { sampleBinding, sampleExport, servedCrd } from './schema.fixture.ts';

const withdrawn = {
  ...sampleExport(),
  status: {
    conditions: [
      {
        type: 'ProviderInSync',
        status: 'False' as const,
        reason: 'EntitlementWithdrawn',
        message: 'as the backend says it',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
};

describe('an export that the provider has withdrawn from this tenant', () => {
  it('keeps its CRD and its API, and says what users can do', () => {
    const marks = {
      [annotations.tenant]: 'tenant/tenant-uid',
      [annotations.boundIn]: 'app-uid/klutch-bind',
      [annotations.schema]: apiDigest(withdrawn.spec),
    };
    const { write, conditions, api } = decide({
      binding: sampleBinding(),
      apiExport: withdrawn,
      crd: servedCrd(sampleExport(), { annotations: marks }),
      ownerIsGone: false,
      tenant: 'tenant/tenant-uid',
      home: 'app-uid',
    });

    expect(write).toBeUndefined();
    expect(conditions.Connected).toMatchObject({ status: 'False', severity: 'Error', reason: 'EntitlementWithdrawn' });
    expect(conditions.Connected.message).toContain('Ask the operator');
    expect(api?.withdrawn).toBe(conditions.Connected.message);
  });
});
