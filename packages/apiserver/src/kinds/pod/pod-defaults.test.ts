import { describe, expect, it } from 'vitest';
import { fillInPod, fillInPodSpec } from './pod-defaults.ts';
import type { PodSpec } from './pod-types.ts';

function filled(spec: PodSpec): PodSpec {
  fillInPodSpec(spec);
  return spec;
}

describe('fillInPodSpec', () => {
  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1', 'IfNotPresent'],
    ['registry:5000/nginx', 'Always'],
    ['registry:5000/nginx:1', 'IfNotPresent'],
    ['nginx@sha256:abc', 'IfNotPresent'],
    ['nginx:latest@sha256:abc', 'Always'],
    ['', 'Always'],
  ])('pulls the image %j %s', (image, imagePullPolicy) => {
    expect(filled({ containers: [{ image }] }).containers?.[0]).toMatchObject({ imagePullPolicy });
  });

  it('shows the service account under both of its names', () => {
    expect(filled({ serviceAccount: 'a' })).toMatchObject({ serviceAccountName: 'a', serviceAccount: 'a' });
    expect(filled({ serviceAccountName: 'b', serviceAccount: 'a' })).toMatchObject({
      serviceAccountName: 'b',
      serviceAccount: 'b',
    });
    expect(filled({})).not.toHaveProperty('serviceAccountName');
  });

  it('makes a volume without a source an empty folder', () => {
    expect(filled({ volumes: [{ name: 'v' }, { name: 'w', csi: {} }] }).volumes).toEqual([
      { name: 'v', emptyDir: {} },
      { name: 'w', csi: {} },
    ]);
  });

  it('keeps modes that were chosen, zero included', () => {
    expect(
      filled({
        volumes: [
          { name: 'v', secret: { defaultMode: 0 } },
          { name: 'w', secret: {} },
        ],
      }).volumes,
    ).toEqual([
      { name: 'v', secret: { defaultMode: 0 } },
      { name: 'w', secret: { defaultMode: 420 } },
    ]);
  });

  it('completes containers of every sort', () => {
    const spec = filled({ initContainers: [{ image: 'a:1' }], ephemeralContainers: [{ image: 'b:1' }] });

    expect(spec.initContainers?.[0]).toMatchObject({ terminationMessagePath: '/dev/termination-log' });
    expect(spec.ephemeralContainers?.[0]).toMatchObject({ terminationMessagePolicy: 'File' });
  });
});

describe('fillInPod', () => {
  it('adds what templates of pods do not have', () => {
    const spec: PodSpec = {};
    fillInPod(spec);

    expect(spec.enableServiceLinks).toBe(true);
    expect(filled({})).not.toHaveProperty('enableServiceLinks');
  });
});
