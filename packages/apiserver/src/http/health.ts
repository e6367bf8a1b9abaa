import type { Answer } from './answer.ts';

/** A server that answers is well: it serves nothing before its storage is open, and stops when that breaks. */
const checks: readonly string[] = ['ping', 'log', 'etcd'];

const endpoints: readonly string[] = ['livez', 'readyz', 'healthz'];

/** Pure: answers `/livez`, `/readyz`, `/healthz` and their single checks; undefined for other paths. */
export function healthAnswer(path: string, query: URLSearchParams): Answer | undefined {
  const [, endpoint = '', check, ...rest] = path.split('/');
  if (!endpoints.includes(endpoint) || rest.length > 0) return undefined;
  if (check !== undefined && check !== '') return checks.includes(check) ? plainText('ok') : undefined;
  if (!query.has('verbose')) return plainText('ok');
  const lines = checks.map((name) => `[+]${name} ok`);
  return plainText(`${[...lines, `${endpoint} check passed`].join('\n')}\n`);
}

function plainText(text: string): Answer {
  return {
    code: 200,
    text,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  };
}
