import { describe, expect, it } from 'vitest';
import { createCast } from './cast.ts';

describe('a cast', () => {
  const cast = createCast({
    '<tenant-namespace>': 'cluster-1',
    '<service-namespace>': 'cluster-1-team-x',
    'klutch-bind': 'bindings',
    'team-a': 'team-x',
    'example.org': 'x.org',
    'widgets.example.org': 'widgets.x.org',
    'kubeconfig-4pn9f': 'kubeconfig-live',
  });

  it.each([
    [
      '/apis/example.org/v1/namespaces/<service-namespace>/widgets/w1',
      '/apis/x.org/v1/namespaces/cluster-1-team-x/widgets/w1',
    ],
    ['<tenant-namespace>/team-a', 'cluster-1/team-x'],
    ['klutch-binder-<tenant-namespace>', 'klutch-binder-cluster-1'],
    ['widgets.example.org "w1" not found', 'widgets.x.org "w1" not found'],
    ['example.org/v1', 'x.org/v1'],
    [
      '/api/v1/namespaces/klutch-bind/secrets?fieldSelector=metadata.name%3Dkubeconfig-4pn9f',
      '/api/v1/namespaces/bindings/secrets?fieldSelector=metadata.name%3Dkubeconfig-live',
    ],
    ['konnector/v0.0.0 klutch-bind-konnector-cluster', 'konnector/v0.0.0 klutch-bind-konnector-cluster'],
    ['klutch.anynines.com/bound', 'klutch.anynines.com/bound'],
  ])('turns %s into %s', (recorded, live) => {
    expect(cast.textOf(recorded)).toBe(live);
  });

  it('encodes again what the recorder decoded, with the line break it lost', () => {
    const recorded = '<base64 of:\nca: <ca>    server: https://127.0.0.1:<port>\ntoken: <jwt>\n>';
    const live = cast.with({ '<ca>': 'Q0E=', '<port>': '6443', '<jwt>': 'abc' }).textOf(recorded);

    expect(Buffer.from(live, 'base64').toString()).toBe('ca: Q0E=\n    server: https://127.0.0.1:6443\ntoken: abc\n');
  });

  it('goes through objects and lists, and leaves everything else alone', () => {
    expect(cast.valueOf({ a: ['team-a', 1, null], b: { c: true } })).toEqual({
      a: ['team-x', 1, null],
      b: { c: true },
    });
  });
});
