import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JWK } from 'oidc-provider';

/** With what the issuer signs: tokens with a key pair, its cookies with a secret. */
export interface IssuerKeys {
  readonly signing: JWK;
  readonly cookies: readonly string[];
}

/** The keys kept in the folder; made and kept there the first time. Without a folder: new ones. */
export async function openKeys(dir?: string): Promise<IssuerKeys> {
  if (dir === undefined) return createKeys();
  const file = join(dir, 'keys.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return parseKeys(text, file);
  const keys = createKeys();
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, JSON.stringify(keys), { mode: 0o600 });
  await rename(unfinished, file);
  return keys;
}

function createKeys(): IssuerKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(8).toString('hex');
  return {
    signing: { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, use: 'sig', alg: 'RS256' },
    cookies: [randomBytes(32).toString('base64url')],
  };
}

function parseKeys(text: string, file: string): IssuerKeys {
  try {
    const { signing, cookies } = JSON.parse(text) as Partial<IssuerKeys>;
    if (signing?.kty && cookies?.length) return { signing, cookies };
  } catch {
    // The parser quotes what it reads, and that is a key.
  }
  throw new Error(`${file} holds no keys of an issuer; remove it to have new ones made`);
}
