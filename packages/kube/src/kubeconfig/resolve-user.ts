import { cleanToken } from '../auth/bearer-token.ts';
import type { Auth, ExecPlugin, HeaderAuth, Impersonation, PemSource } from './cluster-config.ts';
import type { ExecEntry, UserEntry } from './config-file.ts';
import type { Field } from './fields.ts';
import { absolutePath, type FileReference, fileReference } from './file-reference.ts';
import { invalidField, type Place } from './place.ts';
import { pemData } from './resolve-cluster.ts';

/** What a user entry contributes to a cluster configuration. */
export interface ResolvedUser {
  readonly auth: Auth;
  readonly impersonate?: Impersonation;
  readonly files: readonly FileReference[];
}

/**
 * Checks a user entry and decides how it authenticates, as client-go does: a token file goes before a token; a client
 * certificate is sent along with either; an exec plugin is used only when there is nothing else.
 */
export function resolveUser(user: UserEntry, cluster: { readonly execConfig?: unknown }): ResolvedUser {
  const files: FileReference[] = [];
  const certificate = resolveCertificate(user, files);
  const header = resolveHeader(user, files);
  const plugin = user.exec && resolveExec(user.exec, user, cluster.execConfig);
  if (user.authProvider) {
    const advice = 'Use an exec plugin of the same provider, a token or a client certificate.';
    throw invalidField(user.authProvider.place, `authentication providers are not supported. ${advice}`);
  }
  return { auth: chooseAuth(certificate, header, plugin), impersonate: resolveImpersonation(user), files };
}

type CertificateAuth = Extract<Auth, { kind: 'certificate' }>;

function chooseAuth(certificate?: CertificateAuth, header?: HeaderAuth, plugin?: ExecPlugin): Auth {
  if (certificate) return header ? { ...certificate, header } : certificate;
  return header ?? (plugin ? { kind: 'exec', plugin } : { kind: 'none' });
}

function resolveCertificate(user: UserEntry, files: FileReference[]): CertificateAuth | undefined {
  const certificate = pemSource(user.clientCertificate, user.clientCertificateData, 'certificate', user, files);
  const key = pemSource(user.clientKey, user.clientKeyData, 'key', user, files);
  if (certificate && key) return { kind: 'certificate', certificate, key };
  if (certificate)
    throw invalidField(user.place, 'has a client certificate without a key. Add client-key-data or client-key.');
  if (!key) return undefined;
  const advice = 'Add client-certificate-data or client-certificate.';
  throw invalidField(user.place, `has a client key without a certificate. ${advice}`);
}

function pemSource(
  file: Field<string> | undefined,
  data: Field<string> | undefined,
  content: 'certificate' | 'key',
  user: UserEntry,
  files: FileReference[],
): PemSource | undefined {
  if (file && data)
    throw invalidField(file.place, `is given together with client-${content}-data. Remove one of them.`);
  if (file === undefined) return pemData(data, content);
  const reference = fileReference(file, user.folder, content);
  files.push(reference);
  return { from: 'file', path: reference.path };
}

function resolveHeader(user: UserEntry, files: FileReference[]): HeaderAuth | undefined {
  const { username, password, token, tokenFile } = user;
  const basic = username ?? password;
  if (basic && (token ?? tokenFile)) {
    throw invalidField(basic.place, 'is given together with a token. Keep one way to authenticate.');
  }
  if (tokenFile) {
    const reference = fileReference(tokenFile, user.folder, 'token');
    files.push(reference);
    return { kind: 'tokenFile', path: reference.path };
  }
  if (token) return { kind: 'token', token: checkedToken(token) };
  return basic && { kind: 'basic', username: username?.value ?? '', password: password?.value ?? '' };
}

function checkedToken(field: Field<string>): string {
  const token = cleanToken(field.value);
  if (token !== undefined) return token;
  throw invalidField(field.place, 'holds a space, line break or special character. Copy the token again, in one line.');
}

function resolveImpersonation(user: UserEntry): Impersonation | undefined {
  const { as, asUid, asGroups, asUserExtra } = user;
  const extra = Object.keys(asUserExtra).length > 0 ? asUserExtra : undefined;
  const groups = asGroups.length > 0 ? asGroups : undefined;
  if (as) return { user: as.value, uid: asUid?.value, groups, extra };
  if (!asUid && !groups && !extra) return undefined;
  throw invalidField(user.place.at('as'), 'is missing, but as-uid, as-groups or as-user-extra is set. Name the user.');
}

function resolveExec(exec: ExecEntry, user: UserEntry, clusterConfig: unknown): ExecPlugin {
  if (exec.command === undefined) throw invalidField(exec.place.at('command'), 'is missing. Name the command to run.');
  const command = exec.command.value;
  return {
    // A bare name is looked up in PATH.
    command: /[/\\]/.test(command) ? absolutePath(command, user.folder) : command,
    args: exec.args,
    env: exec.env,
    apiVersion: checkedApiVersion(exec.apiVersion, exec.place),
    interactiveMode: checkedInteractiveMode(exec),
    provideClusterInfo: exec.provideClusterInfo,
    clusterConfig,
    installHint: exec.installHint,
  };
}

function checkedApiVersion(field: Field<string> | undefined, exec: Place): ExecPlugin['apiVersion'] {
  const version = field?.value;
  if (version === 'client.authentication.k8s.io/v1' || version === 'client.authentication.k8s.io/v1beta1')
    return version;
  const problem = version === undefined ? 'is missing' : `"${version}" is not supported`;
  const advice = 'Use client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1.';
  throw invalidField(exec.at('apiVersion'), `${problem}. ${advice}`);
}

function checkedInteractiveMode({ interactiveMode, apiVersion, place }: ExecEntry): ExecPlugin['interactiveMode'] {
  const mode = interactiveMode?.value;
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode;
  if (mode === undefined && apiVersion?.value.endsWith('/v1beta1')) return 'IfAvailable';
  const problem = mode === undefined ? 'is missing' : `"${mode}" is not known`;
  throw invalidField(place.at('interactiveMode'), `${problem}. Use Never, IfAvailable or Always.`);
}
