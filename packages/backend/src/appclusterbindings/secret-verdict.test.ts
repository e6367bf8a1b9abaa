import { describe, expect, it } from 'vitest';
import { someBinding, someSecret } from './binding.fixture.ts';
import { judgeSecret } from './secret-verdict.ts';

const withExec = `
apiVersion: v1
kind: Config
current-context: c
clusters: [{name: c, cluster: {server: 'https://x'}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, interactiveMode: Never}}}]
`;

describe('the Secret of a binding', () => {
  it('is valid with a kubeconfig, which is then copied', () => {
    const secret = someSecret();

    expect(judgeSecret(someBinding(), secret)).toEqual({
      condition: { type: 'SecretValid', status: 'True' },
      kubeconfig: secret.data?.['kubeconfig'],
    });
  });

  it.each([
    ['KubeconfigSecretNotFound', undefined],
    ['KubeconfigSecretInvalid', { ...someSecret(), data: {} }],
    ['KubeconfigSecretInvalid', someSecret('{"')],
    ['KubeconfigSecretInvalid', someSecret('')],
    ['KubeconfigSecretInvalid', someSecret(withExec)],
  ])('BE-50 is told as %s', (reason, secret) => {
    const { condition, kubeconfig } = judgeSecret(someBinding(), secret);

    expect(condition).toMatchObject({ type: 'SecretValid', status: 'False', severity: 'Error', reason });
    expect(condition.message).toContain('team/app');
    expect(kubeconfig).toBeUndefined();
  });

  it('BE-39 S-5 is refused in another namespace, whatever is in it', () => {
    const binding = someBinding({ kubeconfigSecretRef: { name: 'app', namespace: 'victim', key: 'kubeconfig' } });

    expect(judgeSecret(binding, someSecret())).toEqual({
      condition: expect.objectContaining({ status: 'False', reason: 'KubeconfigSecretForeign' }),
    });
  });

  it('is never quoted', () => {
    const { condition } = judgeSecret(someBinding(), someSecret('users: [{name: a, user: {token: s3cret\n'));

    expect(condition.message).not.toContain('s3cret');
  });
});
