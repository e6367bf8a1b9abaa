import type { Answer } from './answer.ts';

const checks = ['ping', 'log', 'etcd'] as const;

const endpoints: readonly string[] = ['livez', 'readyz', 'healthz'];

/**
 * Pure: answers `/livez`, `/readyz`, `/healthz` and their single checks; undefined for other paths.
 *
 * @param canStore whether writes are safe at the moment: the check called `etcd`, as in Kubernetes
 */
export function healthAnswer(path: string, query: URLSearchParams, canStore: boolean): Answer | undefined {
  const [, endpoint = '', check, ...rest] = path.split('/');
  if (!endpoints.includes(endpoint) || rest.length > 0) return undefined;
  const passes = (name: string) => name !== 'etcd' || canStore;
  if (check !== undefined && check !== '') {
    if (!checks.some((name) => name === check)) return undefined;
    return passes(check) ? plainText('ok') : plainText(`internal server error: ${cannotStore}\n`, 500);
  }
  const isWell = checks.every(passes);
  if (isWell && !query.has('verbose')) return plainText('ok');
  const lines = checks.map((name) => (passes(name) ? `[+]${name} ok` : `[-]${name} failed: reason withheld`));
  const verdict = `${endpoint} check ${isWell ? 'passed' : 'failed'}`;
  return plainText(`${[...lines, verdict].join('\n')}\n`, isWell ? 200 : 500);
}

/** Why is for the log of the server: everybody may ask for its health. */
const cannotStore = 'changes cannot be stored';

function plainText(text: string, code = 200): Answer {
  return {
    code,
    text,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  };
}
