import { errorCatalogue, type KlutchErrorCode } from '../errors/catalogue.ts';
import { KlutchError } from '../errors/klutch-error.ts';
import { jsonOf } from '../payloads/parse-json.ts';
import type { WireAnswer } from './wire.ts';

/** The error that an answer without success describes; else one that names address and status. */
export function refusalIn(answer: WireAnswer, isEntry: boolean): KlutchError {
  const { url, status, text } = answer;
  if (isEntry) {
    const message = `The address ${url} answered ${status}${kindOf(answer)} in place of the description of a provider; check the address, which usually ends in /export.`;
    return new KlutchError('KLUTCH_PROVIDER_UNREACHABLE', message);
  }
  const { code, message } = describedIn(text);
  const reason = message === undefined ? kindOf(answer) : `: ${message}`;
  // Backends of ours describe the absence of an address as a request that is wrong.
  const isAbsent = [404, 405].includes(status) && (code === undefined || code === 'KLUTCH_REQUEST_INVALID');
  if (isAbsent) {
    return new KlutchError(
      'KLUTCH_BACKEND_TOO_OLD',
      `The address ${url} answered ${status}${reason}; this backend does not offer that. Compare its version with that of this command.`,
    );
  }
  if (code !== undefined) return new KlutchError(code, message ?? errorCatalogue[code].meaning);
  return new KlutchError(
    'KLUTCH_PROVIDER_UNREACHABLE',
    `The address ${url} answered ${status}${reason}; try again, and ask the operator if that persists.`,
  );
}

/** What an answer is, as far as its type says something. */
export function kindOf({ contentType }: WireAnswer): string {
  if (contentType === 'text/html') return ' with a web page';
  return /^[\w./+-]+$/.test(contentType) ? ` with ${contentType}` : '';
}

/** What an error body says, in the forms that backends have: `{code, message}`, also below `error`. */
function describedIn(text: string): { readonly code?: KlutchErrorCode; readonly message?: string } {
  const body = asMap(jsonOf(text));
  const { code, message, error_description: description } = asMap(body?.['error']) ?? body ?? {};
  const words = [message, description].find((one) => typeof one === 'string');
  return {
    ...(typeof code === 'string' && Object.hasOwn(errorCatalogue, code) && { code: code as KlutchErrorCode }),
    ...(words !== undefined && { message: oneLine(words) }),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 500);
}

function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMap ? (value as Readonly<Record<string, unknown>>) : undefined;
}
