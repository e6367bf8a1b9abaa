import { decodeBase64, encodeBase64 } from '../encoding/base64.ts';
import { KlutchError } from '../errors/klutch-error.ts';
import { apiVersion } from '../names/groups.ts';
import { array, enumeration, type Infer, object, required, string } from '../schema/schema.ts';
import { exportRequestResponse } from './export-request-response.ts';
import { parseJson } from './parse-json.ts';

const code = 'KLUTCH_BINDING_RESPONSE_INVALID';
const subject = 'The answer to the login';

export const bindingResponseSchema = object('What a login yields.', {
  apiVersion: required(enumeration('Version of this payload.', [apiVersion])),
  kind: required(enumeration('Kind of this payload.', ['BindingResponse'])),
  authentication: object('Proof of which login is answered.', {
    oauth2CodeGrant: object('For logins with a browser.', {
      sid: required(string('Session id the CLI began with.')),
      id: required(string('Who logged in: `<issuer>/<subject>`.')),
    }),
  }),
  kubeconfig: required(string('Kubeconfig for the control plane, in base 64.', { format: 'byte', minLength: 1 })),
  requests: required(array('What was chosen.', exportRequestResponse, { minItems: 1 })),
});

/** What a login yields: credentials and the requests to create with them. It holds a secret. */
export type BindingResponse = Infer<typeof bindingResponseSchema>;

/**
 * Reads the `response` parameter of the callback: base 64 of either alphabet, as backends differ. Throws
 * `KLUTCH_BINDING_RESPONSE_INVALID`, without any part of the text in the error.
 */
export function decodeBindingResponse(parameter: string): BindingResponse {
  // Where a backend left `+` as it is, reading the query has turned it into a space.
  const bytes = decodeBase64(parameter.replaceAll(' ', '+'));
  if (bytes === undefined || bytes.length === 0) throw new KlutchError(code, `${subject} is not base 64.`);
  return parseBindingResponse(bytes.toString('utf8'));
}

/** Reads a response sent as JSON, as to logins of machines. Throws like {@link decodeBindingResponse}. */
export function parseBindingResponse(text: string): BindingResponse {
  const response = parseJson(bindingResponseSchema, text, code, subject);
  if (decodeBase64(response.kubeconfig) === undefined) {
    throw new KlutchError(code, `${subject} is not as it should be: kubeconfig: expected base 64.`);
  }
  return response;
}

/** Writes the `response` parameter in the one alphabet that all CLIs read. The caller still has to percent-encode it. */
export function encodeBindingResponse(response: BindingResponse): string {
  return encodeBase64(JSON.stringify(response));
}

/** The kubeconfig of a response as text. */
export function kubeconfigOf(response: BindingResponse): string {
  return decodeBase64(response.kubeconfig)?.toString('utf8') ?? '';
}
