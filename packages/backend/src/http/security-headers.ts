import { stylesheetHash } from '../pages/stylesheet.ts';

/**
 * Headers of every answer. Pages may load nothing, run nothing and be framed by nobody; their one form goes to the backend,
 * which sends the browser on to the user's own machine.
 */
export function securityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src '${stylesheetHash}'`,
    "form-action 'self' http://localhost:* http://127.0.0.1:*",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(new URL(baseUrl).protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
