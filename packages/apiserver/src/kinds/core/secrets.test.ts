import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../objects/api-object.ts';
import { configMaps } from './config-maps.ts';
import { secrets } from './secrets.ts';

const secret = (fields: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  ...fields,
});
const MEBIBYTE = 1024 * 1024;
const base64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');

describe('a secret', () => {
  it('takes over text as data, which wins over data of the same key', () => {
    const object = secret({ data: { a: 'YQ==', b: 'Yg==' }, stringData: { b: 'ü', c: '' } });

    secrets.schema?.applyDefaults(object);

    expect(object['data']).toEqual({ a: 'YQ==', b: Buffer.from('ü').toString('base64'), c: '' });
    expect(object).not.toHaveProperty('stringData');
  });

  it('is opaque unless it says otherwise', () => {
    const object = secret();

    secrets.schema?.applyDefaults(object);

    expect(object['type']).toBe('Opaque');
  });

  it('holds one mebibyte and no more', () => {
    expect(secrets.strategy.validateCreate?.(secret({ data: { a: base64(MEBIBYTE) } }))).toEqual([]);
    expect(secrets.strategy.validateCreate?.(secret({ data: { a: base64(MEBIBYTE), b: base64(1) } }))).toEqual([
      { reason: 'FieldValueTooLong', field: 'data', message: 'Too long: may not be more than 1048576 bytes' },
    ]);
  });

  it('of a service account names the account', () => {
    const token = { type: 'kubernetes.io/service-account-token' };
    const annotations = { 'kubernetes.io/service-account.name': 'default' };

    expect(secrets.strategy.validateCreate?.(secret({ ...token, metadata: { name: 's', annotations } }))).toEqual([]);
    expect(secrets.strategy.validateCreate?.(secret(token))).toEqual([
      {
        reason: 'FieldValueRequired',
        field: 'metadata.annotations[kubernetes.io/service-account.name]',
        message: 'Required value',
      },
    ]);
  });

  it('never shows its content in an error', () => {
    const data = { '.dockerconfigjson': Buffer.from('hunter2').toString('base64') };
    const causes = secrets.strategy.validateCreate?.(secret({ type: 'kubernetes.io/dockerconfigjson', data }));

    expect(causes).toHaveLength(1);
    expect(JSON.stringify(causes)).not.toContain('hunter2');
  });

  it('is found by its type', () => {
    expect(secrets.selectableFields['type']?.(secret({ type: 'x' }))).toBe('x');
    expect(secrets.selectableFields['type']?.(secret())).toBe('');
  });
});

describe('a config map', () => {
  it('holds one mebibyte of text and bytes together', () => {
    const object = { ...secret(), kind: 'ConfigMap', data: { a: 'x'.repeat(MEBIBYTE) } };

    expect(configMaps.strategy.validateCreate?.(object)).toEqual([]);
    expect(configMaps.strategy.validateCreate?.({ ...object, binaryData: { b: base64(1) } })).toEqual([
      { reason: 'FieldValueTooLong', field: '[]', message: 'Too long: may not be more than 1048576 bytes' },
    ]);
  });

  it('counts text in bytes', () => {
    const object = { ...secret(), kind: 'ConfigMap', data: { a: 'ü'.repeat(MEBIBYTE / 2 + 1) } };

    expect(configMaps.strategy.validateCreate?.(object)).toHaveLength(1);
  });
});
