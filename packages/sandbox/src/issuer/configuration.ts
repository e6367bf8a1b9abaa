import type { ClientMetadata, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { deviceFlow } from './device-flow.ts';
import type { IssuerKeys } from './keys.ts';
import { memoryAdapters } from './memory-adapter.ts';
import { type IssuerClient, type IssuerOptions, machineScope } from './options.ts';
import { pageHeaders } from './page.ts';
import { messagePage } from './pages.ts';

/** Where the login page is; the rest of the path names the login. */
export const interactionPath = '/login/';

/** Stands for everything of Klutch that machines may call. */
const resource = 'urn:klutch';

/** All that oidc-provider is told. What it would warn about at start is set, so that nobody has to read it. */
export function configurationOf(options: IssuerOptions, keys: IssuerKeys): Configuration {
  const { users, clients, audience = 'klutch' } = options;
  const machineScopes = new Set(clients.flatMap((client) => (client.kind === 'machine' ? scopesOf(client) : [])));
  return {
    adapter: memoryAdapters(),
    clients: clients.map(metadataOf),
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [...keys.cookies],
      names: { session: 'klutch_issuer', interaction: 'klutch_issuer_login', resume: 'klutch_issuer_resume' },
      // Cookies do not tell ports apart, so the names must.
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    scopes: ['openid', 'profile', 'email', 'groups', ...machineScopes],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    // Otherwise clients would have to ask for name and groups once more at the userinfo endpoint.
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    clientBasedCORS: () => false,
    interactions: { url: (_, { uid }) => `${interactionPath}${uid}` },
    findAccount: (_, sub) => {
      const user = users.find(({ name }) => name === sub);
      if (user === undefined) return undefined;
      const { name, email = `${name}@klutch.example`, groups = [] } = user;
      const claims = { sub, name, preferred_username: name, email, email_verified: true, groups: [...groups] };
      return { accountId: sub, claims: () => claims };
    },
    loadExistingGrant: grantEverythingAsked,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow,
      resourceIndicators: {
        enabled: true,
        defaultResource: ({ oidc }) => (oidc.params?.['grant_type'] === 'client_credentials' ? resource : []),
        getResourceServerInfo: () => ({
          scope: [...machineScopes].join(' '),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 10 * 60,
          jwt: { sign: { alg: 'RS256' } },
        }),
        useGrantedResource: () => true,
      },
    },
    ttl: {
      AccessToken: 60 * 60,
      AuthorizationCode: 60,
      ClientCredentials: 10 * 60,
      DeviceCode: 10 * 60,
      Grant: 24 * 60 * 60,
      IdToken: 60 * 60,
      Interaction: 60 * 60,
      Session: 24 * 60 * 60,
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.set({ ...pageHeaders });
      ctx.body = messagePage('This login cannot go on', description ? `${error}: ${description}` : error);
    },
  };
}

/** Who logs in has read on the page what the client gets, and agrees to it by doing so. */
async function grantEverythingAsked({ oidc }: KoaContextWithOIDC) {
  const { account, client, provider, session } = oidc;
  if (!account || !client) return undefined;
  const known = oidc.result?.consent?.grantId ?? session?.grantIdFor(client.clientId);
  const existing = known === undefined ? undefined : await provider.Grant.find(known);
  const grant = existing ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope([...oidc.requestParamScopes].join(' '));
  grant.addOIDCClaims([...oidc.requestParamClaims]);
  await grant.save();
  return grant;
}

function metadataOf(client: IssuerClient): ClientMetadata {
  const common = { client_id: client.id, client_secret: client.secret };
  if (client.kind === 'machine') {
    return {
      ...common,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: scopesOf(client).join(' '),
    };
  }
  return {
    ...common,
    client_name: client.name ?? client.id,
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    redirect_uris: [...client.redirectUris],
  };
}

function scopesOf({ scopes = [machineScope] }: Extract<IssuerClient, { readonly kind: 'machine' }>): readonly string[] {
  return scopes;
}
