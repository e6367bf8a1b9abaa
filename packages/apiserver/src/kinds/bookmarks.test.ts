import { describe, expect, it } from 'vitest';
import { tableOf } from '../table/index.ts';
import { builtInResources } from './built-in-resources.ts';

const listed = builtInResources.filter(({ verbs }) => verbs.includes('list'));

describe('an object of a bookmark, which has metadata only', () => {
  it.each(listed.map((served) => [served.kind, served] as const))('gives a row of kind %s', (_, served) => {
    const object = { apiVersion: 'v1', kind: served.kind, metadata: { resourceVersion: '5' } };
    const table = tableOf(served, [object], { now: new Date(), listMetadata: {} });

    expect(table.rows[0]?.cells).toHaveLength(table.columnDefinitions?.length ?? 0);
    expect(table.rows[0]?.cells).not.toContain(undefined);
    expect(table.metadata).toEqual({ resourceVersion: '5' });
  });

  it.each(listed.map((served) => [served.kind, served] as const))(
    'can be asked for the fields that select a %s',
    (_, served) => {
      const object = { apiVersion: 'v1', kind: served.kind, metadata: {} };

      for (const read of Object.values(served.selectableFields)) expect(typeof read(object)).toBe('string');
    },
  );
});
