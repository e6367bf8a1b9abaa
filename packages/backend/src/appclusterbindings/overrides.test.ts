import type { KonnectorOverrides } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { isAllowedImage, judgeOverrides } from './overrides.ts';

const images = ['registry.example.org/klutch/konnector'];

describe('overrides of a konnector', () => {
  it('may change image, resources, some variables and some flags', () => {
    const verdict = judgeOverrides(
      {
        image: 'registry.example.org/klutch/konnector:v2',
        imagePullPolicy: 'Always',
        resources: { limits: { memory: '1Gi' } },
        env: [
          { name: 'HTTPS_PROXY', value: 'http://proxy:3128' },
          { name: 'GOMAXPROCS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        ],
        args: ['--log-level=debug', '-v=4'],
        securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } },
      },
      images,
    );

    expect(verdict).toEqual({
      changes: {
        image: 'registry.example.org/klutch/konnector:v2',
        imagePullPolicy: 'Always',
        resources: { limits: { memory: '1Gi' } },
        env: [
          { name: 'HTTPS_PROXY', value: 'http://proxy:3128' },
          { name: 'GOMAXPROCS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        ],
        args: ['--log-level=debug', '-v=4'],
        securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } },
      },
    });
  });

  it.each<[KonnectorOverrides, string]>([
    [{ securityContext: { privileged: true } }, 'securityContext.privileged'],
    [{ securityContext: { allowPrivilegeEscalation: true } }, 'securityContext.allowPrivilegeEscalation'],
    [{ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }, 'securityContext.capabilities'],
    [{ securityContext: { seccompProfile: { type: 'Unconfined' } } }, 'securityContext.seccompProfile'],
    [{ securityContext: { procMount: 'Unmasked' } }, 'securityContext.procMount'],
    [{ image: 'evil.example.org/konnector' }, 'image'],
    [{ image: 'registry.example.org/klutch/konnector-evil:v2' }, 'image'],
    [{ command: ['sh'] }, 'command'],
    [{ args: ['--kubeconfig=/x'] }, 'args'],
    [{ args: ['--log-level'] }, 'args'],
    [{ env: [{ name: 'NODE_OPTIONS', value: '--import=data:text/javascript,0' }] }, 'env[NODE_OPTIONS]'],
    [{ env: [{ name: 'KUBECONFIG', value: '/x' }] }, 'env[KUBECONFIG]'],
    [{ env: [{ name: 'TZ', valueFrom: { secretKeyRef: { name: 'kubeconfig', key: 'x' } } }] }, 'env[TZ]'],
    [{ envFrom: [{ secretRef: { name: 'kubeconfig' } }] }, 'envFrom'],
    [{ volumeMounts: [{ mountPath: '/x', name: 'v' }] }, 'volumeMounts'],
    [{ volumeDevices: [{ devicePath: '/dev/sda', name: 'v' }] }, 'volumeDevices'],
    [{ ports: [{ containerPort: 8080, hostPort: 80, protocol: 'TCP' }] }, 'ports'],
    [{ lifecycle: { postStart: { exec: { command: ['sh'] } } } }, 'lifecycle'],
    [{ livenessProbe: { exec: { command: ['sh'] } } }, 'livenessProbe'],
    [{ resources: { claims: [{ name: 'gpu' }] } }, 'resources.claims'],
    [{ name: 'other' }, 'name'],
  ])('BE-40 may not be %j', (overrides, field) => {
    const verdict = judgeOverrides(overrides, images);

    expect(verdict).toEqual({ refused: [expect.stringMatching(`^${field.replaceAll(/[[\]]/g, '\\$&')}: `)] });
  });

  it('names everything that is refused', () => {
    const verdict = judgeOverrides({ command: ['sh'], securityContext: { privileged: true } }, images);

    expect(verdict).toEqual({ refused: [expect.any(String), expect.any(String)] });
  });

  it.each<KonnectorOverrides | undefined>([
    undefined,
    {},
    { image: '', command: [], envFrom: [], tty: false, securityContext: { privileged: false, runAsUser: 0 } },
  ])('count as none when they are empty: %j', (overrides) => {
    expect(judgeOverrides(overrides, images)).toEqual({ changes: { args: [], env: [], securityContext: {} } });
  });
});

describe('an allowed image', () => {
  it.each([
    ['r/k', 'r/k', true],
    ['r/k:v1', 'r/k', true],
    ['r/k@sha256:0', 'r/k', true],
    ['r/k/debug:v1', 'r/k', true],
    ['r/k:v1', 'r/', true],
    ['r/k:v1', 'r/k:v1', true],
    ['r/k:v10', 'r/k:v1', false],
    ['r/kx', 'r/k', false],
    ['x/r/k', 'r/k', false],
    ['anything', '', false],
  ])('%s is, or is not, allowed by %s', (image, prefix, isAllowed) => {
    expect(isAllowedImage(image, [prefix])).toBe(isAllowed);
  });
});
