import type { ErrorEntry } from './error-entry.ts';

/** Codes of what is wrong with a catalogue of services, or with a claim of one. */
export const offerErrors = {
  KLUTCH_CATALOGUE_INVALID: {
    meaning: 'The files of a catalogue contradict each other, or say something that cannot be offered.',
    remedy: 'Correct them where the output says; `klutch catalog check` shows all problems.',
    exit: 'usage',
  },
  KLUTCH_CATALOGUE_BREAKS_INSTANCES: {
    meaning: 'Instances that exist could not be edited or composed any more, or would lose a setting.',
    remedy: 'Change the catalogue so that they keep what they have, or accept the loss with `--allow-breaking`.',
    exit: 'conflict',
  },
  KLUTCH_CATALOGUE_NOT_ESTABLISHED: {
    meaning: 'A definition did not become established in time.',
    remedy:
      'Look at the conditions of the definition that the message names, and at the log of Crossplane; then apply again.',
    exit: 'timeout',
  },
  KLUTCH_CLAIM_REFUSED: {
    meaning: 'A claim, or a change of one, would be refused.',
    remedy: 'Change the claim as the output says.',
    exit: 'usage',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
