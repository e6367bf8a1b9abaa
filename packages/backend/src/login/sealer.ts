import { hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Clock } from '@klutch/kube';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** What a ticket is good for; one for another purpose is no ticket. */
export type Purpose = 'state' | 'session' | 'code' | 'device' | 'enrolment' | 'mark';

/** A ticket whose seal was unbroken and whose time is not over. */
export interface Ticket<T> {
  /** Different for every ticket; by it a ticket can be marked as used. */
  readonly id: string;
  readonly expiresAt: Date;
  readonly content: T;
  /** Tells which secret sealed it. */
  readonly sealedWith: string;
}

/** Hands state to clients and gets it back unread and unaltered, so that any replica can go on. */
export interface Sealer {
  seal<T extends object>(purpose: Purpose, content: T, lifetimeSeconds: number): Promise<string>;
  /** Undefined for everything but a ticket of this purpose, sealed with one of the secrets, in its time. Never throws. */
  open<T extends object>(purpose: Purpose, ticket: string): Promise<Ticket<T> | undefined>;
  /**
   * A key for other uses, derived from the secret that seals now, or from the one that sealed a ticket: what was derived
   * when a ticket was sealed is found again with it, although the secrets have changed since.
   */
  derive(use: string, ticket?: Pick<Ticket<unknown>, 'sealedWith'>): Buffer;
}

/**
 * Tickets are JWE with direct encryption, each purpose with a key and a `typ` of its own. The first of the secrets seals, all
 * of them open, so that one can take the place of another while tickets of both are under way.
 */
export function createSealer(secrets: () => readonly Uint8Array[], clock: Pick<Clock, 'date'>): Sealer {
  return {
    derive: (use, ticket) => {
      const sealedIt = ticket && secrets().find((secret) => markOf(secret) === ticket.sealedWith);
      return derive(sealedIt ?? sealing(), use);
    },
    seal: async (purpose, content, lifetimeSeconds) => {
      const expiresAt = clock.date().getTime() + lifetimeSeconds * 1000;
      const sealed: Sealed = { id: randomBytes(16).toString('base64url'), expiresAt, content };
      // Cookies hold 4 KB, and the names of somebody's groups are long and alike.
      return await new CompactEncrypt(deflateRawSync(JSON.stringify(sealed)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: typeOf(purpose) })
        .encrypt(ticketKey(sealing(), purpose));
    },
    open: async <T extends object>(purpose: Purpose, ticket: string) => {
      for (const secret of secrets()) {
        const sealed = await unsealed(ticket, purpose, ticketKey(secret, purpose));
        if (sealed === undefined) continue;
        if (sealed.expiresAt <= clock.date().getTime()) return undefined;
        const { id, expiresAt, content } = sealed;
        return { id, expiresAt: new Date(expiresAt), content: content as T, sealedWith: markOf(secret) };
      }
      return undefined;
    },
  };

  function sealing(): Uint8Array {
    const [first] = secrets();
    if (first === undefined) throw new Error('There is no key to seal with.');
    return first;
  }
}

function derive(secret: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `klutch-backend/${use}`, 32));
}

function ticketKey(secret: Uint8Array, purpose: Purpose): Buffer {
  return derive(secret, `ticket/${purpose}`);
}

/** A name for a secret that does not tell it. */
function markOf(secret: Uint8Array): string {
  return derive(secret, 'mark').toString('base64url');
}

interface Sealed {
  readonly id: string;
  /** Milliseconds. */
  readonly expiresAt: number;
  readonly content: object;
}

async function unsealed(ticket: string, purpose: Purpose, key: Buffer): Promise<Sealed | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(ticket, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    if (protectedHeader.typ !== typeOf(purpose)) return undefined;
    return JSON.parse(inflateRawSync(plaintext, { maxOutputLength: maxContent }).toString('utf8')) as Sealed;
  } catch {
    // Whatever is wrong with it, it is not one of our tickets; the cause is of interest to forgers only.
    return undefined;
  }
}

const maxContent = 1 << 20;

function typeOf(purpose: Purpose): string {
  return `klutch-${purpose}`;
}
