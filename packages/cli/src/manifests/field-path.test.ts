import { describe, expect, it } from 'vitest';
import { withoutFields } from './field-path.ts';

const object = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x' },
  spec: {
    replicas: 2,
    containers: [
      { name: 'a', resources: { limits: { cpu: 1, memory: 2 } } },
      {
        name: 'b',
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 81, protocol: 'TCP' },
        ],
      },
    ],
  },
};

describe('withoutFields', () => {
  it.each([
    ['.spec.replicas', { containers: object.spec.containers }],
    [
      '.spec.containers[name="a"].resources.limits.cpu',
      { ...object.spec, containers: [{ name: 'a', resources: { limits: { memory: 2 } } }, object.spec.containers[1]] },
    ],
    [
      '.spec.containers[name="a"].resources',
      { ...object.spec, containers: [{ name: 'a' }, object.spec.containers[1]] },
    ],
    [
      '.spec.containers[name="b"].ports[port=81,protocol="TCP"]',
      {
        ...object.spec,
        containers: [object.spec.containers[0], { name: 'b', ports: [{ port: 80, protocol: 'TCP' }] }],
      },
    ],
    ['.spec.unknown.deep', object.spec],
    ['.spec.containers[name="c"].resources', object.spec],
    ['.spec.replicas.deeper', object.spec],
    ['', object.spec],
    ['nonsense[', object.spec],
  ])('takes out %s and nothing else', (path, spec) => {
    expect(withoutFields(object, [path])).toEqual({ ...object, spec });
  });

  it('takes maps out that become empty', () => {
    const paths = ['cpu', 'memory'].map((name) => `.spec.containers[name="a"].resources.limits.${name}`);
    expect(withoutFields(object, paths)).toMatchObject({ spec: { containers: [{ name: 'a' }, { name: 'b' }] } });
    expect(JSON.stringify(withoutFields(object, paths))).not.toContain('limits');
  });
});
