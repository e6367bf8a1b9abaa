import { KlutchError } from '@klutch/api';
import { isLoopback } from '@klutch/api/contract';
import { urlOf } from '../login/urls.ts';
import { checkPolicy } from '../policy/may-bind.ts';
import type { WebOptions } from '../process/options.ts';

/** Throws `KLUTCH_USAGE`, naming the option, when the web server could not be run safely with these options. */
export function checkWebOptions(options: WebOptions): void {
  checkPolicy(options.policy);
  const keys = options.sealingKeys.value;
  if (keys.length === 0 || keys.some(({ length }) => length < 32)) {
    refuse('--cookie-signing-key is too short: it must be base64 of at least 32 random bytes.');
  }
  if (options.policy.machines.clients.size > 0 && options.policy.machines.scope === '') {
    refuse('--machine-scope is empty: machines must be asked for a scope.');
  }
  const allowHttp = options.allowHttp ?? false;
  checkUrl('--external-url', options.baseUrl, allowHttp);
  checkUrl('--oidc-issuer-url', options.issuer.url, allowHttp);
  checkUrl('--oidc-callback-url', options.issuer.callbackUrl, allowHttp);
  if (options.issuer.authorizeUrl !== undefined) {
    checkUrl('--oidc-authorize-url', options.issuer.authorizeUrl, allowHttp);
  }
  if (options.issuer.clientId === '') refuse('--oidc-issuer-client-id is empty.');
  if (!options.issuer.scopes.includes('openid')) refuse('--oidc-scopes must include openid.');
}

function checkUrl(option: string, text: string, allowHttp: boolean): void {
  const url = urlOf(text);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    return refuse(`${option} is not an http or https URL without user and password.`);
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url)) {
    refuse(
      `${option} must be https, since credentials travel over it; --insecure-http lifts that for trying things out.`,
    );
  }
}

function refuse(message: string): never {
  throw new KlutchError('KLUTCH_USAGE', message);
}
