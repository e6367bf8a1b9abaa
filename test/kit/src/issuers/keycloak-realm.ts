import { emailOf, KIT_PASSWORD, type KitClient, type KitUser } from './issuer-users.ts';

/** A client that acts for itself, with a scope of its own and, if given, an audience. */
export interface KitMachine {
  readonly id: string;
  readonly secret: string;
  /** Put into its access tokens. Default: `klutch/bind`. */
  readonly scope?: string;
  readonly audience?: string;
}

export interface RealmContent {
  readonly users: readonly KitUser[];
  readonly clients: readonly KitClient[];
  readonly machines?: readonly KitMachine[];
}

/** A realm in the format that Keycloak imports. The groups of a user are the claim `groups`, with the scope `groups`. */
export function keycloakRealm(realm: string, { users, clients, machines = [] }: RealmContent): object {
  const groups = [...new Set(users.flatMap((user) => user.groups ?? []))];
  return {
    realm,
    enabled: true,
    sslRequired: 'none',
    oauth2DeviceCodeLifespan: 600,
    oauth2DevicePollingInterval: 1,
    groups: groups.map((name) => ({ name })),
    users: users.map((user) => ({
      username: user.name,
      enabled: true,
      email: emailOf(user),
      emailVerified: true,
      // Without both names Keycloak asks for them before it lets anybody in.
      firstName: user.name,
      lastName: 'Kit',
      groups: (user.groups ?? []).map((name) => `/${name}`),
      credentials: [{ type: 'password', value: KIT_PASSWORD, temporary: false }],
    })),
    // Named here, the built-in scopes have to be named as well; without any they would all be missing.
    clientScopes: [...BUILT_IN_SCOPES, groupsScope, ...machineScopes(machines)],
    defaultDefaultClientScopes: ['basic', 'profile', 'email'],
    defaultOptionalClientScopes: ['groups'],
    clients: [...clients.map(webClient), ...machines.map(machineClient)],
  };
}

function webClient({ id, secret, redirectUris }: KitClient): object {
  return {
    clientId: id,
    secret,
    redirectUris,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: false,
    attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
    defaultClientScopes: ['basic', 'profile', 'email'],
    optionalClientScopes: ['groups'],
  };
}

function machineClient({ id, secret, scope = 'klutch/bind', audience }: KitMachine): object {
  return {
    clientId: id,
    secret,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
    defaultClientScopes: ['basic'],
    optionalClientScopes: [scope],
    protocolMappers: audience === undefined ? [] : [audienceMapper(audience)],
  };
}

function machineScopes(machines: readonly KitMachine[]): object[] {
  const names = new Set(machines.map(({ scope = 'klutch/bind' }) => scope));
  return [...names].map((name) => ({
    name,
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': 'true' },
  }));
}

function audienceMapper(audience: string): object {
  return {
    name: 'audience',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': audience, 'access.token.claim': 'true', 'id.token.claim': 'false' },
  };
}

const INTO_TOKENS = { 'id.token.claim': 'true', 'access.token.claim': 'true', 'userinfo.token.claim': 'true' };

const groupsScope = {
  name: 'groups',
  protocol: 'openid-connect',
  attributes: { 'include.in.token.scope': 'true' },
  protocolMappers: [
    {
      name: 'groups',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-group-membership-mapper',
      config: { ...INTO_TOKENS, 'claim.name': 'groups', 'full.path': 'false' },
    },
  ],
};

function userAttribute(attribute: string, claim: string, type = 'String'): object {
  return {
    name: claim,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-usermodel-attribute-mapper',
    config: { ...INTO_TOKENS, 'user.attribute': attribute, 'claim.name': claim, 'jsonType.label': type },
  };
}

const BUILT_IN_SCOPES = [
  {
    name: 'basic',
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': 'false' },
    protocolMappers: [
      {
        name: 'sub',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-sub-mapper',
        config: { 'access.token.claim': 'true', 'introspection.token.claim': 'true' },
      },
    ],
  },
  {
    name: 'profile',
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': 'true' },
    protocolMappers: [userAttribute('username', 'preferred_username'), userAttribute('firstName', 'name')],
  },
  {
    name: 'email',
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': 'true' },
    protocolMappers: [
      userAttribute('email', 'email'),
      {
        name: 'email verified',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-usermodel-property-mapper',
        config: {
          ...INTO_TOKENS,
          'user.attribute': 'emailVerified',
          'claim.name': 'email_verified',
          'jsonType.label': 'boolean',
        },
      },
    ],
  },
];
