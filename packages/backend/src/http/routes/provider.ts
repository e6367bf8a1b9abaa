import { type BindingProvider } from '@klutch/api';
import { describeProvider } from '@klutch/api/contract';
import type { FastifyInstance } from 'fastify';
import type { WebContext } from '../context.ts';
import { route } from '../route.ts';

/** `/export`, where commands learn how to log in; `/exports` for habits from elsewhere. */
export function providerRoutes(app: FastifyInstance, context: WebContext): void {
  route(app, context, describeProvider, async () => describe(context), { aliases: ['exports'] });
}

/** Built from configuration alone: what a request says about its host may be a lie. */
function describe({ options }: WebContext): BindingProvider {
  const { baseUrl, version, prettyName } = options;
  const authenticatedURL = options.issuer.authorizeUrl ?? `${baseUrl}/authorize`;
  return {
    apiVersion: 'v1alpha1',
    kind: 'BindingProvider',
    providerPrettyName: prettyName,
    version: version.startsWith('v') ? version : `v${version}`,
    authenticationMethods: [
      { method: 'OAuth2CodeGrant', oauth2CodeGrant: { authenticatedURL } },
      { method: 'DeviceCode', deviceCode: { deviceURL: `${baseUrl}/device` } },
    ],
  };
}
