import { describe, expect, it } from 'vitest';
import { defaultLayer } from './default-layer.ts';
import { readCatalogue } from './model/read-catalogue.ts';

const { catalogue, problems } = readCatalogue([await defaultLayer()]);

describe('the default catalogue', () => {
  it('has no problem', () => {
    expect(problems).toEqual([]);
  });

  it('offers eight services, two backends and three operations', () => {
    expect(catalogue?.services.map(({ kind, plural, defaultBackend }) => [kind, plural, defaultBackend])).toEqual([
      ['KeyvalueInstance', 'keyvalueinstances', 'a9s'],
      ['Logme2Instance', 'logme2instances', 'a9s'],
      ['MariadbInstance', 'mariadbinstances', 'a9s'],
      ['MessagingInstance', 'messaginginstances', 'a9s'],
      ['MongodbInstance', 'mongodbinstances', 'a9s'],
      ['PostgresqlInstance', 'postgresqlinstances', 'a8s'],
      ['PrometheusInstance', 'prometheusinstances', 'a9s'],
      ['SearchInstance', 'searchinstances', 'a9s'],
    ]);
    expect(catalogue?.operations.map(({ kind, plural, defaultBackend }) => [kind, plural, defaultBackend])).toEqual([
      ['Backup', 'backups', 'a8s'],
      ['Restore', 'restores', 'a8s'],
      ['ServiceBinding', 'servicebindings', 'a8s'],
    ]);
    expect(catalogue?.backends.map(({ name }) => name)).toEqual(['a8s', 'a9s']);
  });
});
