import { createHash, X509Certificate } from 'node:crypto';

import { PRIVILEGED_GROUP } from '../authz/rbac-authorizer.ts';
import { CREDENTIAL_ID } from './everyone.ts';
import type { User } from './user.ts';

/** Whom a client certificate speaks for: undefined when it names nobody, a problem when it is not to be trusted. */
export type CertificateVerdict = { readonly user: User | undefined } | { readonly problem: string };

/** Verifies client certificates. Certificates must be issued by the authority itself, without others in between. */
export type CertificateVerifier = (certificate: X509Certificate, now: Date) => CertificateVerdict;

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const ANY_PURPOSE = '2.5.29.37.0';
/** Attribute of a subject in which Kubernetes expects the uid of a user. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';

/**
 * @param certificateAuthority certificate of the authority, in PEM
 * @param administratorAuthority that of the present authority for members of `system:masters`. Default: the same
 */
export function createCertificateVerifier(
  certificateAuthority: string,
  administratorAuthority: () => string = () => certificateAuthority,
): CertificateVerifier {
  // One certificate comes with every request of a connection; its signature need not be checked again.
  const known = new WeakMap<X509Certificate, CheckedCertificate>();
  return (certificate, now) => {
    const before = known.get(certificate);
    const isAdministrator = before?.isAdministrator ?? subjectOf(certificate, 'O').includes(PRIVILEGED_GROUP);
    const authority = isAdministrator ? administratorAuthority() : certificateAuthority;
    const checked = before?.authority === authority ? before : check(certificate, authority, isAdministrator);
    known.set(certificate, checked);
    if (checked.problem !== undefined) return { problem: checked.problem };
    if (now.getTime() < checked.validFrom) return { problem: 'the certificate is not valid yet' };
    if (now.getTime() > checked.validTo) return { problem: 'the certificate has expired' };
    return { user: checked.user };
  };
}

/** All about a certificate that does not change with time. */
interface CheckedCertificate {
  /** By whom it has to be signed, in PEM. */
  readonly authority: string;
  readonly isAdministrator: boolean;
  readonly problem: string | undefined;
  readonly user: User | undefined;
  readonly validFrom: number;
  readonly validTo: number;
}

function check(certificate: X509Certificate, authority: string, isAdministrator: boolean): CheckedCertificate {
  const problem = problemOf(certificate, new X509Certificate(authority));
  return {
    authority,
    isAdministrator,
    problem,
    user: problem === undefined ? userOf(certificate) : undefined,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
  };
}

function problemOf(certificate: X509Certificate, authority: X509Certificate): string | undefined {
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey)) {
    return 'the certificate is not signed by the authority of this server';
  }
  // A certificate that does not say what it is for, is for everything.
  const purposes = (certificate.keyUsage as readonly string[] | undefined) ?? [ANY_PURPOSE];
  if (!purposes.includes(CLIENT_AUTHENTICATION) && !purposes.includes(ANY_PURPOSE))
    return 'the certificate is not for clients';
  const uids = subjectOf(certificate, UID_ATTRIBUTE);
  return uids.length > 1 || uids[0] === '' ? 'the certificate does not name exactly one uid' : undefined;
}

function userOf(certificate: X509Certificate): User | undefined {
  const name = subjectOf(certificate, 'CN').at(-1) ?? '';
  if (name === '') return undefined;
  const [uid] = subjectOf(certificate, UID_ATTRIBUTE);
  const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: subjectOf(certificate, 'O'),
    extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] },
  };
}

/** All values of an attribute of the subject. */
function subjectOf(certificate: X509Certificate, attribute: string): string[] {
  const subject = certificate.toLegacyObject().subject as unknown as Record<string, string | string[] | undefined>;
  const value = subject[attribute];
  return value === undefined ? [] : [value].flat();
}
