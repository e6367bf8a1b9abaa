import { describe, expect, it } from 'vitest';

import { apiServerFlags, controllerManagerFlags, DEFAULT_CONTROLLERS, etcdFlags } from './flags.ts';

describe('flags', () => {
  it('give etcd sockets in its folder and no port', () => {
    const listening = etcdFlags().filter((flag) => flag.startsWith('--listen'));
    expect(listening).toEqual(['--listen-client-urls=unix://etcd.sock', '--listen-peer-urls=unix://etcd-peer.sock']);
  });

  it('keep the API server on the loopback interface', () => {
    expect(apiServerFlags(4711, {})).toEqual(
      expect.arrayContaining(['--bind-address=127.0.0.1', '--secure-port=4711', '--authorization-mode=RBAC']),
    );
  });

  it('switch on static tokens and audit only when asked for', () => {
    const flagNames = (flags: string[]) => flags.map((flag) => flag.split('=')[0]);
    const optional = ['--token-auth-file', '--audit-policy-file', '--audit-log-path', '--feature-gates'];
    expect(flagNames(apiServerFlags(1, {}))).not.toEqual(expect.arrayContaining([expect.toBeOneOf(optional)]));
    const asked = { tokenUsers: [{ name: 'dev' }], audit: { policy: {} }, featureGates: { WatchList: true } };
    expect(flagNames(apiServerFlags(1, asked))).toEqual(expect.arrayContaining(optional));
  });

  it('set feature gates on both servers', () => {
    const options = { featureGates: { WatchList: false, ListFromCacheSnapshot: true } };
    const gates = '--feature-gates=WatchList=false,ListFromCacheSnapshot=true';
    expect(apiServerFlags(1, options)).toContain(gates);
    expect(controllerManagerFlags(options)).toContain(gates);
  });

  it('let the caller have the last word', () => {
    expect(apiServerFlags(1, { apiServerFlags: ['--event-ttl=1m'] }).at(-1)).toBe('--event-ttl=1m');
    expect(controllerManagerFlags({ controllerManagerFlags: ['--v=4'] }).at(-1)).toBe('--v=4');
  });

  it('run the controllers asked for, or those a cluster without nodes needs', () => {
    expect(controllerManagerFlags({})).toContain(`--controllers=${DEFAULT_CONTROLLERS.join(',')}`);
    expect(controllerManagerFlags({ controllers: ['*', '-job-controller'] })).toContain(
      '--controllers=*,-job-controller',
    );
  });
});
