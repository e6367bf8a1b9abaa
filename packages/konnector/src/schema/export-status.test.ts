import { type APIServiceExport, falseCondition, trueCondition } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { type Consumer, exportStatusPatch } from './export-status.ts';
import { sampleExport, servedCrd } from './schema.fixture.ts';

const now = new Date('2026-02-03T04:05:06.789Z');
const later = new Date('2026-02-04T00:00:00Z');
const inSync: Consumer = {
  conditions: {
    Connected: trueCondition('Connected'),
    SchemaInSync: trueCondition('SchemaInSync'),
    SchemaCompatible: null,
  },
  crd: servedCrd(),
};
type Status = NonNullable<APIServiceExport['status']>;

const patchFor = (consumer: Consumer | undefined, status?: Status) =>
  exportStatusPatch({ ...sampleExport(), status }, consumer, now);
const states = (status: Status | undefined) =>
  Object.fromEntries(
    (status?.conditions ?? []).map(({ type, status, reason }) => [type, reason ? `${status} ${reason}` : status]),
  );

describe('the status of an export', () => {
  it('shows the CRD of the app cluster, and that all is well', () => {
    const patch = patchFor(inSync);

    expect(states(patch)).toEqual({
      Ready: 'True',
      Connected: 'True',
      ConsumerInSync: 'True',
      Established: 'True InitialNamesAccepted',
      NamesAccepted: 'True NoConflicts',
    });
    expect(patch?.acceptedNames).toEqual(servedCrd().status?.acceptedNames);
    expect(patch?.storedVersions).toEqual(['v1']);
    expect(patch?.conditions?.every(({ lastTransitionTime }) => lastTransitionTime === '2026-02-03T04:05:06Z')).toBe(
      true,
    );
  });

  it('is not written again when it says all that', () => {
    const status = patchFor(inSync);

    expect(exportStatusPatch({ ...sampleExport(), status }, inSync, later)).toBeUndefined();
  });

  it('keeps conditions of the backend', () => {
    const ours = { ...trueCondition('ProviderInSync'), lastTransitionTime: '2026-01-01T00:00:00Z' };

    expect(patchFor(inSync, { conditions: [ours] })?.conditions).toContainEqual(ours);
  });

  it('says that no binding uses it, without a summary', () => {
    expect(states(patchFor(undefined))).toEqual({
      Connected: 'False APIServiceBindingNotFound',
      ConsumerInSync: 'False NA',
    });
  });

  it.each<[string, Consumer['conditions'], string]>([
    [
      'a schema that is held back',
      { ...inSync.conditions, SchemaInSync: falseCondition('SchemaInSync', 'Warning', 'BreakingSchemaChange', 'held') },
      'False BreakingSchemaChange',
    ],
    [
      'a CRD of somebody else',
      {
        Connected: falseCondition('Connected', 'Error', 'ForeignCustomResourceDefinition', 'foreign'),
        SchemaInSync: null,
        SchemaCompatible: null,
      },
      'False ForeignCustomResourceDefinition',
    ],
    ['a binding that has not said yet', { ...inSync.conditions, SchemaInSync: null }, 'False Unknown'],
  ])('tells the provider of %s', (_, conditions, state) => {
    const shown = states(patchFor({ ...inSync, conditions }));

    expect(shown['ConsumerInSync']).toBe(state);
    expect(shown['Connected']).toBe('True');
    expect(shown['Ready']).toMatch(/^False/);
  });

  it('calls a condition of the CRD that does not hold an error', () => {
    const crd = servedCrd();
    const refused = { type: 'NamesAccepted', status: 'False' as const, reason: 'PluralConflict', message: 'taken' };

    const patch = patchFor({ ...inSync, crd: { ...crd, status: { ...crd.status, conditions: [refused] } } });

    expect(patch?.conditions).toContainEqual(expect.objectContaining({ ...refused, severity: 'Error' }));
  });

  it('is not ready any more when nobody uses it, and was never ready when nobody did', () => {
    const status = patchFor(inSync) ?? {};

    expect(states(patchFor(undefined, status))['Ready']).toBe('False APIServiceBindingNotFound');
    expect(states(patchFor(undefined))).not.toHaveProperty('Ready');
  });

  it('drops names that are no longer accepted', () => {
    const { acceptedNames, ...rest } = patchFor(inSync) ?? {};
    const status = { ...rest, acceptedNames: { kind: 'Widget', plural: 'widgets', shortNames: ['w'] } };

    expect(patchFor(inSync, status)).toEqual({ acceptedNames: { ...acceptedNames, shortNames: null } });
  });
});
