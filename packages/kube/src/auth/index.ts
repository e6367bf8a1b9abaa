export { createCredentialSource } from './credential-source.ts';
export type { Credentials, CredentialSource } from './credentials.ts';
export type { CredentialDeps } from './deps.ts';
export { pemReader } from './pem-reader.ts';
