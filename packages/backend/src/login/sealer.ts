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
}

/** Hands state to clients and gets it back unread and unaltered, so that any replica can go on. */
export interface Sealer {
  seal<T extends object>(purpose: Purpose, content: T, lifetimeSeconds: number): Promise<string>;
  /** Undefined for everything but a ticket of this purpose, sealed with the same key, in its time. Never throws. */
  open<T extends object>(purpose: Purpose, ticket: string): Promise<Ticket<T> | undefined>;
  /** A key for other uses, derived from the same secret. */
  derive(use: string): Buffer;
}

/** Tickets are JWE with direct encryption, each purpose with a key and a `typ` of its own. */
export function createSealer(secret: Uint8Array, clock: Pick<Clock, 'date'>): Sealer {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `klutch-backend/${use}`, 32));
  const keys: Readonly<Record<Purpose, Buffer>> = {
    state: derive('ticket/state'),
    session: derive('ticket/session'),
    code: derive('ticket/code'),
    device: derive('ticket/device'),
    enrolment: derive('ticket/enrolment'),
    mark: derive('ticket/mark'),
  };
  return {
    derive,
    seal: async (purpose, content, lifetimeSeconds) => {
      const expiresAt = clock.date().getTime() + lifetimeSeconds * 1000;
      const sealed: Sealed = { id: randomBytes(16).toString('base64url'), expiresAt, content };
      // Cookies hold 4 KB, and the names of somebody's groups are long and alike.
      return await new CompactEncrypt(deflateRawSync(JSON.stringify(sealed)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: typeOf(purpose) })
        .encrypt(keys[purpose]);
    },
    open: async <T extends object>(purpose: Purpose, ticket: string) => {
      const sealed = await unsealed(ticket, purpose, keys[purpose]);
      if (sealed === undefined || sealed.expiresAt <= clock.date().getTime()) return undefined;
      return { id: sealed.id, expiresAt: new Date(sealed.expiresAt), content: sealed.content as T };
    },
  };
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
