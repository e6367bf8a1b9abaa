import type { ApiObject } from '../../objects/api-object.ts';

export const TOKEN_SECRET_TYPE = 'kubernetes.io/service-account-token';

/** Annotation of a token Secret with the name of its service account. */
export const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

/** Annotation of a token Secret with the uid of its service account. */
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';

export type TokenStep =
  | { readonly do: 'nothing' }
  /** There is no such service account. */
  | { readonly do: 'delete' }
  | { readonly do: 'fill'; readonly needsToken: boolean };

/** Pure: what must happen to a Secret for the token of a service account. */
export function decideToken(secret: ApiObject, account: ApiObject | undefined, caCertificate: string): TokenStep {
  const { annotations = {}, deletionTimestamp } = secret.metadata;
  if (secret['type'] !== TOKEN_SECRET_TYPE || !annotations[ACCOUNT_NAME]) return { do: 'nothing' };
  if (deletionTimestamp !== undefined) return { do: 'nothing' };
  const { [ACCOUNT_UID]: uid } = annotations;
  if (!account || (uid && uid !== account.metadata.uid)) return { do: 'delete' };
  const data = dataOf(secret);
  const needsToken = !data['token'];
  const isComplete = !needsToken && data['namespace'] && data['ca.crt'] === encode(caCertificate);
  return isComplete ? { do: 'nothing' } : { do: 'fill', needsToken };
}

/** Pure: the Secret with everything in it; a new token only where one is given. */
export function filledSecret(
  secret: ApiObject,
  account: ApiObject,
  caCertificate: string,
  token: string | undefined,
): ApiObject {
  const { metadata } = secret;
  const { name = '', uid = '' } = account.metadata;
  const data = dataOf(secret);
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [ACCOUNT_NAME]: name, [ACCOUNT_UID]: uid } },
    data: {
      ...data,
      'ca.crt': encode(caCertificate),
      namespace: data['namespace'] || encode(metadata.namespace ?? ''),
      ...(token === undefined ? {} : { token: encode(token) }),
    },
  };
}

function dataOf(secret: ApiObject): Readonly<Record<string, string>> {
  return (secret['data'] ?? {}) as Record<string, string>;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}
