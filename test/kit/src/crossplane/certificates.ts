import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type CertificateRequest, createAuthority } from '../pki/authority.ts';

/** Folders with `ca.crt`, `tls.crt` and `tls.key`, as Crossplane and its functions read them. */
export interface CertificateFolders {
  readonly crossplane: string;
  readonly functions: string;
}

/** Writes certificates by which Crossplane and functions on this machine know each other. */
export async function writeCertificates(dir: string): Promise<CertificateFolders> {
  const authority = await createAuthority('crossplane');
  const write = async (request: CertificateRequest): Promise<string> => {
    const folder = join(dir, request.commonName);
    const { certificate, key } = await authority.issue(request);
    await mkdir(folder);
    const files = { 'ca.crt': authority.certificate, 'tls.crt': certificate, 'tls.key': key };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    return folder;
  };
  return {
    crossplane: await write({ commonName: 'crossplane', usage: 'client' }),
    functions: await write({ commonName: 'functions', usage: 'server', ipAddresses: ['127.0.0.1'] }),
  };
}
