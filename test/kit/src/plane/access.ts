import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { KitError } from '../kit-error.ts';
import { type Authority, loadAuthority } from '../pki/authority.ts';
import type { PlaneAddress } from './address.ts';
import { FILES } from './flags.ts';
import type { CertificateUserRequest, PlaneAccess, ServiceAccountRequest } from './plane.ts';
import { createUser, type PlaneUser } from './user.ts';

/** What another process must know, besides the authority's files, to use a plane. */
interface AccessRecord {
  readonly url: string;
  /** Static tokens by user name. */
  readonly tokens: Readonly<Record<string, string>>;
}

interface TokenAnswer {
  /** A refusal has a string here, which has no `token` either. */
  readonly status: { readonly token?: string };
  readonly message?: string;
}

/** Gives access to a plane that runs in `dir`, whoever started it. */
export async function attachPlane(dir: string): Promise<PlaneAccess> {
  const record = JSON.parse(await readFile(join(dir, FILES.access), 'utf8')) as AccessRecord;
  const pki = await loadAuthority({
    certificate: await readFile(join(dir, FILES.authorityCertificate), 'utf8'),
    key: await readFile(join(dir, FILES.authorityKey), 'utf8'),
  });
  return planeAccess(dir, pki, record);
}

/** Gives access to a plane and leaves in its folder what {@link attachPlane} needs. */
export async function publishAccess(dir: string, pki: Authority, record: AccessRecord): Promise<PlaneAccess> {
  await writeFile(join(dir, FILES.access), JSON.stringify(record), { mode: 0o600 });
  return planeAccess(dir, pki, record);
}

async function planeAccess(dir: string, pki: Authority, { url, tokens }: AccessRecord): Promise<PlaneAccess> {
  const address: PlaneAddress = { url, dir, certificateAuthority: pki.certificate };

  const certificateUser = async (request: CertificateUserRequest): Promise<PlaneUser> => {
    const { name, groups, authority = pki, ...validity } = request;
    const issued = await authority.issue({ commonName: name, organizations: groups, usage: 'client', ...validity });
    return createUser(address, name, issued);
  };

  const admin = await certificateUser({ name: 'admin', groups: ['system:masters'] });

  const tokenUsers = new Map<string, PlaneUser>();
  for (const [name, token] of Object.entries(tokens)) {
    tokenUsers.set(name, await createUser(address, name, { token }));
  }

  const tokenUser = (name: string): PlaneUser => {
    const user = tokenUsers.get(name);
    if (user) return user;
    throw new KitError('KLUTCH_KIT_USAGE', `no token user ${name}: declare it in startPlane({ tokenUsers })`);
  };

  const serviceAccountUser = async (request: ServiceAccountRequest): Promise<PlaneUser> => {
    const { namespace, name, expirationSeconds = 3_600 } = request;
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } };
    const answer = await admin.request<TokenAnswer>('POST', path, { body });
    if (answer.body.status.token === undefined) {
      throw new KitError('KLUTCH_KIT_USAGE', `no token for ${namespace}/${name}: ${answer.body.message}`);
    }
    return createUser(address, `system:serviceaccount:${namespace}:${name}`, { token: answer.body.status.token });
  };

  return { url, dir, pki, admin, certificateUser, tokenUser, serviceAccountUser };
}
