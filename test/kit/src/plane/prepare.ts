import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Authority, createAuthority, type IssuedCertificate } from '../pki/authority.ts';
import { FILES } from './flags.ts';
import type { StartPlaneOptions, TokenUserRequest } from './options.ts';

/** Everything a plane's programs need before the first of them starts. */
export interface PreparedPlane {
  readonly dir: string;
  readonly options: StartPlaneOptions;
  readonly pki: Authority;
  /** A client certificate in `system:masters`, for the kit's own questions and for the controller manager. */
  readonly admin: IssuedCertificate;
  /** Static tokens by user name. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** Creates keys, certificates and token file in the plane's folder. */
export async function preparePlane(dir: string, options: StartPlaneOptions): Promise<PreparedPlane> {
  const pki = await createAuthority(`plane ${randomUUID()}`);
  const serving = await pki.issue({
    commonName: 'kube-apiserver',
    usage: 'server',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    ipAddresses: ['127.0.0.1', '10.0.0.1'],
  });
  const admin = await pki.issue({ commonName: 'kit', organizations: ['system:masters'] });
  const serviceAccount = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const tokenUsers = (options.tokenUsers ?? []).map((user) => ({ ...user, token: user.token ?? randomUUID() }));

  const write = (name: string, text: string) => writeFile(join(dir, name), text, { mode: 0o600 });
  await write(FILES.authorityCertificate, pki.certificate);
  await write(FILES.authorityKey, pki.key);
  await write(FILES.servingCertificate, serving.certificate);
  await write(FILES.servingKey, serving.key);
  await write(FILES.serviceAccountPublicKey, serviceAccount.publicKey);
  await write(FILES.serviceAccountKey, serviceAccount.privateKey);
  await write(FILES.tokens, tokenUsers.map(tokenLine).join(''));
  if (options.audit) await write(FILES.auditPolicy, JSON.stringify(options.audit.policy));

  const tokens = Object.fromEntries(tokenUsers.map(({ name, token }) => [name, token]));
  return { dir, options, pki, admin, tokens };
}

function tokenLine({ token, name, groups = [] }: TokenUserRequest, index: number): string {
  return `${[token, name, `token-user-${index}`, groups.join(',')].map(csvField).join(',')}\n`;
}

function csvField(value: string | undefined): string {
  return `"${(value ?? '').replaceAll('"', '""')}"`;
}
