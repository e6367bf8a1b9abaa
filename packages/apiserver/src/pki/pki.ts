import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import {
  type Authority,
  createAuthority,
  type IssuedCertificate,
  loadAuthority,
  newPrivateKey,
  renewAuthority,
} from './authority.ts';
import { PRIVILEGED_GROUP } from '../authz/rbac-authorizer.ts';
import { type KeyFolder, memoryKeyFolder, openKeyFolder } from './key-folder.ts';
import { PkiError } from './pki-error.ts';

/** How keys and certificates are kept. */
export interface PkiOptions {
  /** Folder that keeps them, so that clients still trust the server after a restart. Default: memory only. */
  readonly dir?: string;
  /** Names and addresses of the server besides the usual ones. */
  readonly hosts?: readonly string[];
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Whom a client certificate speaks for. */
export interface ClientCertificateRequest {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  /** Default: one year. */
  readonly validForSeconds?: number;
}

/** Keys and certificates of one server. */
export interface Pki {
  /** Certificate of the authority in PEM: clients verify the server with it, the server its clients. */
  readonly certificateAuthority: string;
  /** What the server shows to its clients. */
  readonly serving: IssuedCertificate;
  /** Private key, in PEM, that signs service-account tokens. */
  readonly serviceAccountKey: string;
  /** Certificate of the authority that signs for members of `system:masters`; changes when they are revoked. */
  readonly administratorAuthority: string;
  issueClientCertificate(request: ClientCertificateRequest): IssuedCertificate;
  /** Ends what was issued for members of `system:masters` so far, for good: the key that signed it is forgotten. */
  revokeAdministrators(): Promise<void>;
}

/** Names under which every server can be reached. */
export const SERVING_HOSTS: readonly string[] = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
];

const FILES = {
  authority: { certificate: 'ca.crt', key: 'ca.key' },
  administrators: { certificate: 'administrators.crt', key: 'administrators.key' },
  serving: { certificate: 'serving.crt', key: 'serving.key' },
  serviceAccountKey: 'service-account.key',
} as const;

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;

/** A serving certificate with less left than this is replaced at start. */
const SERVING_RENEWAL_SECONDS = 30 * DAY_SECONDS;

/**
 * Opens the keys and certificates in a folder, and makes those that are missing, nearly expired, or do not cover the
 * wanted hosts. Takes a few milliseconds. Throws {@link PkiError} when the folder holds something that cannot be used.
 */
export async function openPki({ dir, hosts = [], now = () => new Date() }: PkiOptions = {}): Promise<Pki> {
  const folder = dir === undefined ? memoryKeyFolder() : await openKeyFolder(dir);
  const authority = await openAuthority(folder, now());
  let administrators = await openAdministrators(folder, now());
  const serving = await openServing(folder, authority, [...new Set([...SERVING_HOSTS, ...hosts])], now());
  const serviceAccountKey = await openServiceAccountKey(folder);
  return {
    certificateAuthority: authority.certificate,
    serving,
    serviceAccountKey,
    get administratorAuthority() {
      return administrators.certificate;
    },
    issueClientCertificate: ({ user, groups, uid, validForSeconds = YEAR_SECONDS }) => {
      const issuer = groups?.includes(PRIVILEGED_GROUP) ? administrators : authority;
      return issuer.issue({ commonName: user, organizations: groups, uid, use: 'client', validForSeconds }, now());
    },
    revokeAdministrators: async () => {
      administrators = await save(folder, FILES.administrators, createAuthority(now()));
    },
  };
}

async function openAuthority(folder: KeyFolder, now: Date): Promise<Authority> {
  const stored = await readPair(folder, FILES.authority);
  if (stored === undefined) return save(folder, FILES.authority, createAuthority(now));
  const authority = usable(folder.pathOf(FILES.authority.certificate), () => loadAuthority(stored));
  return outlivingAll(folder, FILES.authority, authority, now);
}

/** Files that are missing or do not fit together, as after a crash in the middle of a revocation, are a revocation. */
async function openAdministrators(folder: KeyFolder, now: Date): Promise<Authority> {
  const stored = await readPair(folder, FILES.administrators);
  try {
    if (stored) return await outlivingAll(folder, FILES.administrators, loadAuthority(stored), now);
  } catch {
    // Made anew below.
  }
  return save(folder, FILES.administrators, createAuthority(now));
}

/** What an authority signs lives up to a year, and must not outlive it. */
async function outlivingAll(folder: KeyFolder, files: PairFiles, authority: Authority, now: Date): Promise<Authority> {
  return secondsLeft(authority.certificate, now) > YEAR_SECONDS
    ? authority
    : save(folder, files, renewAuthority(authority, now));
}

async function save(folder: KeyFolder, files: PairFiles, authority: Authority): Promise<Authority> {
  await writePair(folder, files, authority);
  return authority;
}

async function openServing(
  folder: KeyFolder,
  authority: Authority,
  hosts: readonly string[],
  now: Date,
): Promise<IssuedCertificate> {
  const stored = await readPair(folder, FILES.serving);
  if (stored !== undefined && stillServes(stored, authority, hosts, now)) return stored;
  const request = { commonName: 'kube-apiserver', use: 'server', hosts, validForSeconds: YEAR_SECONDS } as const;
  const issued = authority.issue(request, now);
  await writePair(folder, FILES.serving, issued);
  return issued;
}

/** Anything wrong with a serving certificate is a reason to make a new one: nobody but this server holds it. */
function stillServes(pair: IssuedCertificate, authority: Authority, hosts: readonly string[], now: Date): boolean {
  try {
    const certificate = new X509Certificate(pair.certificate);
    const issuer = new X509Certificate(authority.certificate);
    return (
      secondsLeft(pair.certificate, now) > SERVING_RENEWAL_SECONDS &&
      certificate.checkPrivateKey(createPrivateKey(pair.key)) &&
      certificate.verify(issuer.publicKey) &&
      hosts.every((host) => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined)
    );
  } catch {
    return false;
  }
}

async function openServiceAccountKey(folder: KeyFolder): Promise<string> {
  const stored = await folder.read(FILES.serviceAccountKey);
  if (stored !== undefined) {
    usable(folder.pathOf(FILES.serviceAccountKey), () => createPrivateKey(stored));
    return stored;
  }
  const key = newPrivateKey();
  await folder.write(FILES.serviceAccountKey, key);
  return key;
}

interface PairFiles {
  readonly certificate: string;
  readonly key: string;
}

/** The certificate is written last, so its presence says that the pair is complete. */
async function readPair(folder: KeyFolder, files: PairFiles): Promise<IssuedCertificate | undefined> {
  const certificate = await folder.read(files.certificate);
  if (certificate === undefined) return undefined;
  return { certificate, key: (await folder.read(files.key)) ?? '' };
}

async function writePair(folder: KeyFolder, files: PairFiles, pair: IssuedCertificate): Promise<void> {
  await folder.write(files.key, pair.key);
  await folder.write(files.certificate, pair.certificate);
}

/** Certificates of clients depend on these files, so they are never replaced silently. */
function usable<Value>(path: string, load: () => Value): Value {
  try {
    return load();
  } catch (cause) {
    throw new PkiError(`${path} or the key to it cannot be used: restore both, or remove the folder to start afresh`, {
      cause,
    });
  }
}

function secondsLeft(certificate: string, now: Date): number {
  return (new Date(new X509Certificate(certificate).validTo).getTime() - now.getTime()) / 1_000;
}
