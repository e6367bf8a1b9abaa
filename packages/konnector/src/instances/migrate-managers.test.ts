import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { handOver } from './migrate-managers.ts';

const entry = (manager: string, operation: string, fieldsV1: object, more: object = {}) => ({
  manager,
  operation,
  apiVersion: 'example.org/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const copyWith = (...managedFields: object[]): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'w', managedFields },
});

describe('fields of the Go konnector', () => {
  it('become those of our apply', () => {
    const go = entry('konnector', 'Update', { 'f:spec': { 'f:size': {} } });
    expect(handOver(copyWith(go))).toEqual([{ ...go, manager: 'klutch.anynines.com', operation: 'Apply' }]);
  });

  it('join those that our apply has already', () => {
    const go = entry('konnector', 'Update', { 'f:spec': { '.': {}, 'f:plan': {}, 'f:deep': { 'f:a': {} } } });
    const ours = entry('klutch.anynines.com', 'Apply', { 'f:spec': { 'f:size': {}, 'f:deep': { 'f:b': {} } } });
    const joined = { 'f:spec': { '.': {}, 'f:size': {}, 'f:plan': {}, 'f:deep': { 'f:a': {}, 'f:b': {} } } };
    expect(handOver(copyWith(ours, go))).toEqual([{ ...ours, fieldsV1: joined }]);
    expect(handOver(copyWith(go, ours))).toHaveLength(1);
  });

  it('leave the fields of everybody else alone', () => {
    const go = entry('konnector', 'Update', { 'f:spec': {} });
    const crossplane = entry('crossplane', 'Update', { 'f:spec': { 'f:resourceRef': {} } });
    const status = entry('konnector', 'Update', { 'f:status': {} }, { subresource: 'status' });
    expect(handOver(copyWith(crossplane, go, status))).toEqual([
      crossplane,
      { ...go, manager: 'klutch.anynines.com', operation: 'Apply' },
      status,
    ]);
  });

  it('of another version stay apart from those of ours', () => {
    const go = entry('konnector', 'Update', { 'f:spec': {} }, { apiVersion: 'example.org/v1beta1' });
    const ours = entry('klutch.anynines.com', 'Apply', { 'f:spec': {} });
    expect(handOver(copyWith(ours, go))).toHaveLength(2);
  });

  it('need no handing over when there are none', () => {
    expect(handOver(copyWith(entry('klutch.anynines.com', 'Apply', {})))).toBeUndefined();
    expect(handOver(copyWith(entry('konnector', 'Apply', {})))).toBeUndefined();
    expect(handOver({ apiVersion: 'v1', kind: 'X', metadata: {} })).toBeUndefined();
  });
});
