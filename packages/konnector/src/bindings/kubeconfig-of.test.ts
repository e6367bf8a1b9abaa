import type { Secret } from '@klutch/kube';
import { renderKubeconfig } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { kubeconfigOf, secretValid } from './kubeconfig-of.ts';

const ref = { namespace: 'klutch-bind', name: 'kubeconfig-x', key: 'kubeconfig' };
const good = renderKubeconfig({ server: 'https://cp.example', namespace: 'cluster-a', user: { token: 'hush-hush' } });

function secretWith(text: string | undefined): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: ref.name, namespace: ref.namespace },
    data: text === undefined ? {} : { kubeconfig: Buffer.from(text).toString('base64') },
  };
}

const kubeconfig = (user: string, context = 'namespace: cluster-a') => `apiVersion: v1
kind: Config
current-context: x
clusters: [{name: x, cluster: {server: "https://cp.example"}}]
contexts: [{name: x, context: {cluster: x, user: x, ${context}}}]
users: [{name: x, user: {${user}}}]
`;

describe('the kubeconfig in a Secret', () => {
  it('is read', () => {
    const reading = kubeconfigOf(secretWith(good), { ref, needsNamespace: true });

    expect(reading.kubeconfig?.config).toMatchObject({ server: 'https://cp.example', namespace: 'cluster-a' });
    expect(secretValid(reading)).toEqual({ type: 'SecretValid', status: 'True' });
  });

  it('has a fingerprint that changes with it and tells nothing', () => {
    const one = kubeconfigOf(secretWith(good), { ref, needsNamespace: true }).kubeconfig?.fingerprint;
    const other = kubeconfigOf(secretWith(`${good}\n`), { ref, needsNamespace: true }).kubeconfig?.fingerprint;

    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(other).not.toBe(one);
  });

  it.each<[string, Secret | undefined, string, RegExp]>([
    ['is missing', undefined, 'KubeconfigSecretNotFound', /klutch-bind\/kubeconfig-x does not exist/],
    ['is under another key', secretWith(undefined), 'KubeconfigSecretInvalid', /has no key "kubeconfig"/],
    ['is no YAML', secretWith('{"'), 'KubeconfigSecretInvalid', /kubeconfig-x/],
    [
      'has no current context',
      secretWith(good.replace(/current-context:.*/, '')),
      'KubeconfigSecretInvalid',
      /current-context/,
    ],
    [
      'names no namespace',
      secretWith(kubeconfig('token: hush-hush', 'extensions: []')),
      'KubeconfigSecretInvalid',
      /names no namespace/,
    ],
    ['runs a command', secretWith(kubeconfig('exec: {command: evil}')), 'KubeconfigSecretInvalid', /runs a command/],
    [
      'runs an authentication provider',
      secretWith(kubeconfig('auth-provider: {name: gcp}')),
      'KubeconfigSecretInvalid',
      /authentication provider/,
    ],
    ['names a file', secretWith(kubeconfig('tokenFile: /etc/passwd')), 'KubeconfigSecretInvalid', /names a file/],
  ])('KON-07 KON-56 is refused when it %s', (_, secret, reason, message) => {
    const state = secretValid(kubeconfigOf(secret, { ref, needsNamespace: true }));

    expect(state).toMatchObject({ type: 'SecretValid', status: 'False', severity: 'Error', reason });
    expect(state.message).toMatch(message);
    expect(state.message).not.toContain('hush-hush');
  });

  it('needs no namespace where the place is known anyway', () => {
    const secret = secretWith(kubeconfig('token: hush-hush', 'extensions: []'));

    expect(kubeconfigOf(secret, { ref, needsNamespace: false }).kubeconfig).toBeDefined();
  });

  it('KON-55 is not valid for a binding when it was tried and did not work', () => {
    const reading = kubeconfigOf(secretWith(good), { ref, needsNamespace: true });

    expect(secretValid(reading, 'It does not work.')).toEqual({
      type: 'SecretValid',
      status: 'False',
      severity: 'Error',
      reason: 'KubeconfigSecretInvalid',
      message: 'It does not work.',
    });
  });
});
