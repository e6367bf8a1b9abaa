import { Array as List, Integer as Whole, Object as Fields, Optional, String as Text, Unsafe } from 'typebox';

/** Most APIs that a request may name. */
export const maxApis = 100;

/** A cluster id: what the CLI derives, or the name that a tool gave. */
export const clusterId = Text({
  description: 'The app cluster, as the command names it.',
  title: '1 to 64 letters, digits, dots, dashes and underscores',
  pattern: '^[A-Za-z0-9._-]{1,64}$',
});

/** The UID of a Kubernetes object. */
export const objectUid = Text({
  description: 'UID of a Kubernetes object.',
  title: 'a UID of a Kubernetes object',
  pattern: '^[A-Za-z0-9-]{1,64}$',
});

/** Text that must be there, of a length that nobody has to fear. */
export const text = (description: string) => Text({ description, minLength: 1, maxLength: 8_192 });

/** One of a few words. */
export const word = <const W extends readonly string[]>(description: string, words: W) =>
  Unsafe<W[number]>({ description, type: 'string', enum: words });

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';

/** An API by its parts. */
export const api = Fields(
  {
    group: Optional(
      Text({
        description: 'Group of the API; empty for the core group.',
        title: 'the group of an API, such as example.org',
        pattern: `^(${label}(\\.${label}){0,20})?$`,
        maxLength: 253,
      }),
    ),
    resource: Text({
      description: 'Plural name of the API.',
      title: 'the plural name of an API, such as widgets',
      pattern: `^${label}$`,
    }),
  },
  { description: 'An API.' },
);

/** APIs that a request names. */
export const apis = List(api, { description: 'APIs that are asked for.', minItems: 1, maxItems: maxApis });

/** Seconds for which an enrolment token may be good. */
export const maxEnrolmentSeconds = 7 * 86_400;

/** How long an enrolment token is to be good. */
export const enrolmentSeconds = Whole({
  description: 'Seconds in which the enrolment token can be exchanged.',
  minimum: 1,
  maximum: maxEnrolmentSeconds,
});

/** The namespace that stands for an app cluster on the control plane. */
export const clusterNamespace = Text({
  description: 'Namespace that stands for the app cluster on the control plane.',
  title: 'the name of a namespace',
  pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
});
