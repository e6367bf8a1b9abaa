import type { CheckResult } from './check.ts';

/** What an endpoint answers. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** For `/livez` and `/readyz`, in the manner of kube-apiserver: `ok`, or a line per check when asked or when one failed. */
export function probeAnswer(probe: string, results: readonly CheckResult[], isVerbose: boolean): Answer {
  const hasFailed = results.some((result) => result.failure !== undefined);
  const status = hasFailed ? 500 : 200;
  if (!hasFailed && !isVerbose) return { status, type: plainText, body: 'ok' };
  const lines = results.map(({ name, failure }) =>
    failure === undefined ? `[+]${name} ok` : `[-]${name} failed: ${failure}`,
  );
  return {
    status,
    type: plainText,
    body: `${[...lines, `${probe} check ${hasFailed ? 'failed' : 'passed'}`].join('\n')}\n`,
  };
}

/** For `/healthz`: a JSON map from check to `ok` or `degraded`, as the konnector has always answered. */
export function healthzAnswer(results: readonly CheckResult[]): Answer {
  const states = results.map(({ name, failure }) => [name, failure === undefined ? 'ok' : 'degraded'] as const);
  const isDegraded = states.some(([, state]) => state === 'degraded');
  const body = JSON.stringify(Object.fromEntries(states));
  return { status: isDegraded ? 500 : 200, type: 'application/json', body };
}

/** For requests that ask for nothing we have. */
export function refusal(status: 404 | 405 | 500, message: string): Answer {
  return { status, type: plainText, body: `${message}\n` };
}

const plainText = 'text/plain; charset=utf-8';
