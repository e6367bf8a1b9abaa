import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../objects/api-object.ts';
import type { PrinterColumn, ServedResource } from '../registry/served-resource.ts';
import { metadataListOf, metadataOf } from './partial-object-metadata.ts';
import { tableOf } from './table.ts';

const now = new Date('2026-01-01T00:01:00Z');

const columns: readonly PrinterColumn[] = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'how big' },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const widgets = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  builtIn: false,
  columns,
} as unknown as ServedResource;

const widget = (name: string, spec: object = {}): ApiObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'n', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec,
});

describe('tableOf', () => {
  it('has a row for each object and says what its columns are', () => {
    const table = tableOf(widgets, [widget('a', { size: 3, ratio: 2.5 }), widget('b')], {
      now,
      listMetadata: { resourceVersion: '9' },
    });

    expect(table).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', description: expect.any(String), priority: 0 },
        { name: 'Size', type: 'integer', format: '', description: 'how big', priority: 0 },
        {
          name: 'Ratio',
          type: 'number',
          format: '',
          description: 'Custom resource definition column (in JSONPath format): .spec.ratio',
          priority: 1,
        },
        {
          name: 'Age',
          type: 'date',
          format: '',
          description: 'Custom resource definition column (in JSONPath format): .metadata.creationTimestamp',
          priority: 0,
        },
      ],
      rows: [
        { cells: ['a', 3, 2.5, '60s'], object: metadataOf(widget('a')) },
        { cells: ['b', null, null, '60s'], object: metadataOf(widget('b')) },
      ],
    });
  });

  it('of one object has its version', () => {
    expect(tableOf(widgets, [widget('a')], { now }).metadata).toEqual({ resourceVersion: '7' });
    expect(tableOf(widgets, [widget('a')], { now, listMetadata: {} }).metadata).toEqual({ resourceVersion: '7' });
  });

  it('of an empty list has columns and no rows', () => {
    const table = tableOf(widgets, [], { now, listMetadata: { resourceVersion: '9' } });

    expect(table.rows).toEqual([]);
    expect(table.columnDefinitions).toHaveLength(4);
  });

  it('leaves the columns out in later events of a watch', () => {
    const table = tableOf(widgets, [widget('a')], { now, withColumns: false });

    expect(table.columnDefinitions).toBeNull();
    expect(table.rows[0]?.cells).toHaveLength(4);
  });

  it('shows the row of a bookmark', () => {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const bookmark = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { resourceVersion: '9', annotations } };

    expect(tableOf(widgets, [bookmark], { now, withColumns: false })).toMatchObject({
      metadata: { resourceVersion: '9' },
      rows: [{ cells: ['', null, null, null], object: { metadata: { annotations } } }],
    });
  });

  it.each([undefined, '', 'Metadata'])('comes with metadata when %j is asked for', (includeObject) => {
    expect(tableOf(widgets, [widget('a')], { now, includeObject }).rows[0]?.object).toEqual(metadataOf(widget('a')));
  });

  it('comes with whole objects, or with none, when that is asked for', () => {
    expect(tableOf(widgets, [widget('a', { size: 1 })], { now, includeObject: 'Object' }).rows[0]?.object).toEqual(
      widget('a', { size: 1 }),
    );
    expect(tableOf(widgets, [widget('a')], { now, includeObject: 'None' }).rows[0]?.object).toBeNull();
  });

  it('refuses to come with anything else', () => {
    const attempt = () => tableOf(widgets, [], { now, includeObject: 'Foo' });

    expect(attempt).toThrow(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty",
    );
  });

  it('starts with the first column of a built-in kind, wherever its name is', () => {
    const events = { ...widgets, builtIn: true, columns: [{ name: 'Last Seen', type: 'string', value: () => '5s' }] };

    expect(tableOf(events, [widget('a')], { now }).rows[0]?.cells).toEqual(['5s']);
  });
});

describe('metadata alone', () => {
  it('is all there is of an object', () => {
    expect(metadataOf(widget('a', { size: 1 }))).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: widget('a').metadata,
    });
  });

  it('is listed with the metadata of the list', () => {
    const listMetadata = { resourceVersion: '9', continue: 'x', remainingItemCount: 1 };

    expect(metadataListOf([widget('a')], listMetadata)).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: listMetadata,
      items: [metadataOf(widget('a'))],
    });
  });

  it('of nothing is null, as Kubernetes writes it', () => {
    expect(metadataListOf([], {}).items).toBeNull();
  });
});
