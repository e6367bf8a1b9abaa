import { expect } from 'vitest';
import { isKubeError, type KubeError } from '../errors/kube-error.ts';
import { parseKubeconfig } from './parse.ts';

/** Lines that go below `cluster:`, `user:` and `context:` of the one entry each that a test's kubeconfig has. */
export interface Lines {
  readonly cluster?: readonly string[];
  readonly user?: readonly string[];
  readonly context?: readonly string[];
}

/** The text of a kubeconfig with cluster `hub`, user `jane` and the current context `dev`. */
export function kubeconfigText(lines: Lines = {}): string {
  const below = (entry: readonly string[]) => entry.map((line) => `    ${line}`);
  return [
    'apiVersion: v1',
    'kind: Config',
    'current-context: dev',
    'clusters:',
    '- name: hub',
    '  cluster:',
    ...below(lines.cluster ?? ['server: https://hub.example:6443']),
    'users:',
    '- name: jane',
    '  user:',
    ...below(lines.user ?? ['token: some-token']),
    'contexts:',
    '- name: dev',
    '  context:',
    ...below(lines.context ?? ['cluster: hub', 'user: jane', 'namespace: team-a']),
    '',
  ].join('\n');
}

/** Number of the first line that holds `part`. */
export function lineWith(text: string, part: string): number {
  const index = text.split('\n').findIndex((line) => line.includes(part));
  if (index < 0) throw new Error(`no line holds ${part}`);
  return index + 1;
}

/** The error that reading `text` as a local kubeconfig ends with. */
export function parseError(text: string): KubeError {
  return errorOf(() => parseKubeconfig(text, { source: 'test-config', trust: 'local', folder: '/etc/kube' }));
}

/** The `KubeError` that `action` throws; fails the test when it throws none. */
export function errorOf(action: () => unknown): KubeError {
  try {
    action();
  } catch (error) {
    if (isKubeError(error)) return error;
    throw error;
  }
  return expect.fail('expected an error');
}

/** The `KubeError` that `promise` rejects with; fails the test when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<KubeError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isKubeError(outcome)) return outcome;
  return expect.fail(outcome instanceof Error ? `not a KubeError: ${outcome.stack}` : 'expected an error');
}

/** Text in base64, as the data fields of a kubeconfig hold it. */
export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
