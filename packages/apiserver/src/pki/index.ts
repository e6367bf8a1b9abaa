export type { IssuedCertificate } from './authority.ts';
export { type ClientCertificateRequest, openPki, type Pki, type PkiOptions, SERVING_HOSTS } from './pki.ts';
export { PkiError } from './pki-error.ts';
