import { isDeepStrictEqual } from 'node:util';
import type { Secret } from '@klutch/kube';
import { type Greeting, type GreetingCondition, type GreetingStatus, Greetings } from './greeting.ts';

/** What the provider sees of one greeting on the control plane. */
export interface Seen {
  readonly greeting: Greeting;
  /** The object that has the name of its Secret. */
  readonly secret?: Secret;
  readonly now: Date;
  /** A fresh one, in case it is needed. */
  readonly passphrase: string;
}

/** What has to be written; nothing when all is as it should be. */
export interface Decision {
  readonly create?: Secret;
  readonly status?: GreetingStatus;
}

/** Pure: what a greeting still lacks. It is Ready only once its Secret was seen. */
export function decide({ greeting, secret, now, passphrase }: Seen): Decision {
  if (greeting.metadata.deletionTimestamp) return {};
  const status = statusOf(greeting, secret, now);
  const isSettled = isDeepStrictEqual(greeting.status, status);
  return {
    ...(secret === undefined ? { create: secretFor(greeting, passphrase) } : {}),
    ...(isSettled ? {} : { status }),
  };
}

/** Name of the Secret that belongs to a greeting. */
export function secretNameOf({ metadata }: Pick<Greeting, 'metadata'>): string {
  return `${metadata.name}-greeting`;
}

const words = { en: 'Hello', de: 'Hallo', fr: 'Bonjour', es: 'Hola' } as const;

function statusOf(greeting: Greeting, secret: Secret | undefined, now: Date): GreetingStatus {
  const { to, language = 'en' } = greeting.spec;
  const state = stateOf(greeting, secret);
  return {
    conditions: [conditionOf(greeting, state, now)],
    greeting: `${words[language]}, ${to}!`,
    ...(state.status === 'True' ? { secretName: secretNameOf(greeting) } : {}),
  };
}

type State = Pick<GreetingCondition, 'status' | 'reason' | 'message'>;

function stateOf(greeting: Greeting, secret: Secret | undefined): State {
  const name = secretNameOf(greeting);
  if (secret === undefined)
    return { status: 'False', reason: 'SecretMissing', message: `Secret ${name} is being made.` };
  if (isOwnedBy(secret, greeting)) return { status: 'True', reason: 'Greeted' };
  const message = `Secret ${name} exists and belongs to somebody else; choose another name for this greeting.`;
  return { status: 'False', reason: 'SecretForeign', message };
}

function conditionOf({ status, metadata }: Greeting, state: State, now: Date): GreetingCondition {
  const before = status?.conditions?.find(({ type }) => type === 'Ready');
  const since = before?.status === state.status ? before.lastTransitionTime : undefined;
  return {
    lastTransitionTime: since ?? now.toISOString().replace(/\.\d+Z$/, 'Z'),
    ...(state.message === undefined ? {} : { message: state.message }),
    observedGeneration: metadata.generation ?? 1,
    reason: state.reason,
    status: state.status,
    type: 'Ready',
  };
}

function secretFor(greeting: Greeting, passphrase: string): Secret {
  const { namespace, name = '', uid = '' } = greeting.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace,
      name: secretNameOf(greeting),
      ownerReferences: [
        { apiVersion: `${Greetings.group}/${Greetings.version}`, kind: Greetings.kind, name, uid, controller: true },
      ],
    },
    data: { passphrase: Buffer.from(passphrase).toString('base64') },
  };
}

function isOwnedBy({ metadata }: Secret, greeting: Greeting): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === greeting.metadata.uid) === true;
}
