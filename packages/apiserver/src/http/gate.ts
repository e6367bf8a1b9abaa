import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Authenticator, User } from '../authn/index.ts';
import { resolveImpersonation } from '../authn/index.ts';
import { type Attributes, type Authorizer, forbiddenRequest } from '../authz/index.ts';
import type { RequestInfo } from './request-info.ts';

/** Lets requests in: finds out who sends them and whether they may do what they ask for. */
export interface Gate {
  /** Throws a 401 or 403 for those who may not. */
  admit(
    request: IncomingMessage,
    info: RequestInfo,
    query: URLSearchParams,
    warn: (text: string) => void,
  ): Promise<User>;
}

export function createGate(authenticator: Authenticator, authorizer: Authorizer): Gate {
  return {
    admit: async (request, info, query, warn) => {
      const credentials = { headers: request.headersDistinct, peerCertificate: certificateOf(request) };
      const { user: sender, warnings } = await authenticator.authenticate(credentials);
      for (const warning of warnings) warn(warning);
      const user = resolveImpersonation(request.headersDistinct, sender, authorizer);
      const attributes = attributesOf(user, info, query);
      const { allowed, reason } = authorizer.authorize(attributes);
      if (!allowed) throw forbiddenRequest(attributes, reason);
      return user;
    },
  };
}

const certificates = new WeakMap<object, X509Certificate | undefined>();

/** The same object for all requests of a connection, so that it is verified once. */
function certificateOf({ socket }: IncomingMessage): X509Certificate | undefined {
  if (!certificates.has(socket)) certificates.set(socket, (socket as TLSSocket).getPeerX509Certificate());
  return certificates.get(socket);
}

function attributesOf(user: User, info: RequestInfo, query: URLSearchParams): Attributes {
  if (!info.isResource) return { user, verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace, name } = info;
  const wanted = name ?? (collectionVerbs.has(verb) ? selectedName(query) : undefined);
  return { user, verb, group, version, resource, subresource, namespace, name: wanted };
}

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** A selector for one name is a request for that object: roles may be limited to it. */
function selectedName(query: URLSearchParams): string | undefined {
  const match = /(?:^|,)metadata\.name==?([^,=]+)/.exec(query.get('fieldSelector') ?? '');
  return match?.[1];
}
