import { resolve } from 'node:path';
import { KlutchError } from '@klutch/api';
import { type Flags, type TextFlag, usage } from './flags.ts';
import type { Rereadable } from './follow.ts';
import type { IssuerOptions, PolicyOptions, WebOptions } from './options.ts';
import { certificatesOf, countOf, fileOf, keyOf, urlOf } from './values.ts';

/** Options of the web server. Throws `KLUTCH_USAGE`, naming the flag. */
export async function webOptionsFrom(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  warn: (warning: string) => void,
): Promise<WebOptions> {
  const allowHttp = flags.isOn('insecure-http');
  const baseUrl = urlOf('external-url', baseUrlOf(flags), allowHttp);
  const issuer = await issuerOf(flags, env, { baseUrl, allowHttp, warn });
  return {
    baseUrl,
    allowHttp,
    trustedProxies: flags.list('trusted-proxies'),
    issuer,
    policy: policyOf(flags, [issuer.clientId, baseUrl]),
    sealingKeys: await sealingKeysOf(flags, env, warn),
    limits: {
      perSubject: countOf(flags, 'requests-per-minute', 60),
      perAddress: countOf(flags, 'requests-per-minute-per-address', 600),
    },
  };
}

/** Go deployments name the callback URL only; the rest of the backend is next to it. */
function baseUrlOf(flags: Flags): string {
  const given = flags.text('external-url');
  if (given !== undefined) return given;
  const callback = flags.text('oidc-callback-url');
  if (callback?.endsWith('/callback')) return callback.slice(0, -'/callback'.length);
  throw usage('external-url', 'is required: the https URL at which browsers and the klutch command reach this backend');
}

interface IssuerContext {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly warn: (warning: string) => void;
}

async function issuerOf(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  { baseUrl, allowHttp, warn }: IssuerContext,
): Promise<IssuerOptions> {
  const url = (flag: TextFlag) => {
    const text = flags.text(flag);
    return text === undefined ? undefined : urlOf(flag, text, allowHttp);
  };
  const [caFile, authorizeUrl] = [flags.text('oidc-ca-file'), url('oidc-authorize-url')];
  const scopes = flags.list('oidc-scopes');
  if (flags.text('oidc-issuer-url') === undefined) {
    throw usage(
      'oidc-issuer-url',
      'is required; with --control-plane-mode and without any --oidc flag nobody can log in',
    );
  }
  if (scopes.length > 0 && !scopes.includes('openid')) throw usage('oidc-scopes', 'must include openid');
  return {
    // Issuers compare their names byte by byte, slashes included.
    url: checkedUrl('oidc-issuer-url', required(flags, 'oidc-issuer-url'), allowHttp),
    clientId: required(flags, 'oidc-issuer-client-id'),
    clientSecrets: await secretFrom(flags, env, warn, {
      flag: 'oidc-issuer-client-secret',
      fileFlag: 'oidc-client-secret-file',
      variable: 'OIDC_CLIENT_SECRET',
    }),
    callbackUrl: url('oidc-callback-url') ?? `${baseUrl}/callback`,
    ...(authorizeUrl ? { authorizeUrl } : {}),
    ...(caFile ? { ca: await certificatesOf('oidc-ca-file', caFile) } : {}),
    scopes: scopes.length > 0 ? scopes : ['openid', 'profile', 'email'],
    otherClientIds: flags.list('oidc-additional-client-ids'),
  };
}

function policyOf(flags: Flags, ownAudiences: readonly string[]): PolicyOptions {
  const allowAll = flags.isOn('allow-all-users');
  const [allowedUsers, allowedGroups] = [flags.list('allowed-users'), flags.list('allowed-groups')];
  if (!allowAll && allowedUsers.length === 0 && allowedGroups.length === 0) {
    const message =
      'Nobody may bind: name those who may with --allowed-users or --allowed-groups, or let every account of the issuer in with --allow-all-users.';
    throw new KlutchError('KLUTCH_USAGE', message);
  }
  const pattern = flags.text('tenant-groups');
  return {
    allowAll,
    allowedUsers,
    allowedGroups,
    groupsClaim: flags.text('groups-claim') ?? 'groups',
    ...(pattern ? { tenantGroups: patternOf(pattern) } : {}),
    machines: {
      scope: flags.text('machine-scope') ?? 'klutch/bind',
      clients: new Map(flags.list('machine-clients').map(machineOf)),
      ...audiencesOf(flags, ownAudiences),
    },
  };
}

/** `none` among the audiences accepts tokens without one; it has to be said, since such a token may be meant for anybody. */
function audiencesOf(
  flags: Flags,
  own: readonly string[],
): Pick<PolicyOptions['machines'], 'audiences' | 'allowNoAudience'> {
  const given = flags.list('machine-audience');
  if (given.length === 0) return { audiences: own, allowNoAudience: false };
  return { audiences: given.filter((one) => one !== 'none'), allowNoAudience: given.includes('none') };
}

/** The whole name of a group has to match, so that no group that merely contains another's name is taken for it. */
function patternOf(text: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`, 'u');
  } catch {
    throw usage('tenant-groups', `must be a regular expression, such as team-(.+), not "${text}"`);
  }
}

function machineOf(text: string): [string, string | undefined] {
  const [client = '', tenant] = text.split('=', 2);
  if (client === '' || tenant === '')
    throw usage('machine-clients', `must be <client id> or <client id>=<tenant>, not "${text}"`);
  return [client, tenant];
}

/** Each signing key together with the encryption key, if there is one; whoever changes that ends all logins under way. */
async function sealingKeysOf(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  warn: IssuerContext['warn'],
): Promise<WebOptions['sealingKeys']> {
  const signing = {
    flag: 'cookie-signing-key',
    fileFlag: 'cookie-signing-key-file',
    variable: 'COOKIE_SIGNING_KEY',
  } as const;
  const encryption = {
    flag: 'cookie-encryption-key',
    fileFlag: 'cookie-encryption-key-file',
    variable: 'COOKIE_ENCRYPTION_KEY',
  } as const;
  const signingKeys = await secretFrom(flags, env, warn, signing);
  const [encryptionKey] = (await optionalSecret(flags, env, warn, encryption))?.value ?? [];
  const more = encryptionKey
    ? [keyOf(encryption.flag, encryptionKey, (length) => [16, 24, 32].includes(length), '16, 24 or 32 bytes')]
    : [];
  const keys = (texts: readonly string[]) =>
    texts.map((text) =>
      Buffer.concat([keyOf(signing.flag, text, (length) => length >= 32, 'at least 32 bytes'), ...more]),
    );
  const { value, read } = signingKeys;
  return { value: keys(value), ...(read && { read: async () => keys(await read()) }) };
}

/** Ways to be told a secret. */
interface SecretPlaces {
  readonly flag: TextFlag;
  readonly fileFlag: TextFlag;
  readonly variable: string;
}

/** Secrets, the one to use first; a file that changes can be read again. */
type Secrets = Rereadable<readonly string[]>;

async function secretFrom(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  warn: IssuerContext['warn'],
  places: SecretPlaces,
): Promise<Secrets> {
  const secrets = await optionalSecret(flags, env, warn, places);
  if (secrets) return secrets;
  throw usage(places.fileFlag, `is required, or the environment variable ${places.variable}`);
}

async function optionalSecret(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  warn: IssuerContext['warn'],
  { flag, fileFlag, variable }: SecretPlaces,
): Promise<Secrets | undefined> {
  const given = flags.text(flag);
  const file = flags.text(fileFlag);
  if (given && file) throw usage(flag, `contradicts --${fileFlag}; give one of them`);
  if (given)
    warn(
      `--${flag} can be read by everybody who sees the processes of this machine; use --${fileFlag} or ${variable}.`,
    );
  if (file) {
    const read = () => secretsIn(fileFlag, file);
    return { value: await read(), read };
  }
  const secrets = linesOf(given ?? env[variable] ?? '');
  return secrets.length > 0 ? { value: secrets } : undefined;
}

async function secretsIn(flag: TextFlag, file: string): Promise<readonly string[]> {
  const secrets = linesOf(await fileOf(flag, file));
  if (secrets.length === 0) throw usage(flag, `names ${resolve(file)}, which is empty`);
  return secrets;
}

/** One secret a line. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function required(flags: Flags, flag: TextFlag): string {
  const value = flags.text(flag);
  if (value === undefined) throw usage(flag, 'is required');
  return value;
}

function checkedUrl(flag: TextFlag, text: string, allowHttp: boolean): string {
  urlOf(flag, text, allowHttp);
  return text;
}
