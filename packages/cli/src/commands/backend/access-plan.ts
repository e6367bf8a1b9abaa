import { annotations, KlutchError } from '@klutch/api';
import type { Namespace } from '@klutch/kube';
import type { Operation } from '../backend-operations.ts';

/** What is known of an app cluster on the control plane. */
export interface AppClusterFacts {
  readonly namespace: Namespace;
  /** Names of the namespaces with its data. */
  readonly serviceNamespaces: readonly string[];
}

/** What a command will do, in words and as a patch. */
export interface Plan {
  /** Sentences for people, before anything is changed. */
  readonly effects: readonly string[];
  readonly question: string;
  /** A change of annotations on the cluster namespace; null takes one away. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** Whether all this is so already. */
  readonly isDone: boolean;
  readonly waiting: string;
  /** Whether all credentials end before the annotations change (`before`), after that, or not by this command. */
  readonly ends?: 'before' | 'after';
  /** By what it is seen that it is done. */
  readonly until: 'revoked' | 'marked' | 'gone';
  readonly outcome: string;
}

/**
 * Pure: what an operation means for an app cluster. Throws `KLUTCH_NAMESPACE_FOREIGN` for a namespace that stands for none,
 * and `KLUTCH_USAGE` when the operation does not fit its state.
 */
export function planFor(operation: Operation, { namespace, serviceNamespaces }: AppClusterFacts): Plan {
  const { name = '', annotations: notes = {}, deletionTimestamp } = namespace.metadata;
  if (notes[annotations.tenantIdentity] === undefined && notes[annotations.identity] === undefined) {
    const message = `Namespace ${name} does not stand for an app cluster that was bound by a login. Nothing was changed.`;
    throw new KlutchError('KLUTCH_NAMESPACE_FOREIGN', message);
  }
  const hasEnded = ['Revoked', 'Expired'].includes(notes[annotations.access] ?? '');
  const who = describe(name, notes);
  const data =
    serviceNamespaces.length === 0
      ? 'It has no data.'
      : `Its data stays, in namespaces ${serviceNamespaces.join(', ')}.`;
  if (operation === 'revoke') {
    return {
      effects: [
        who,
        `All its credentials end at once, whether or not a backend runs, and it cannot be bound again until it is restored. ${data}`,
      ],
      question: `Take all access from app cluster ${name}.`,
      annotations: { [annotations.access]: 'Revoked' },
      isDone: false,
      waiting: 'Ending its credentials',
      ends: 'after',
      until: 'revoked',
      outcome: `App cluster ${name} has no access any more.`,
    };
  }
  if (operation === 'restore') {
    if (deletionTimestamp)
      throw new KlutchError('KLUTCH_USAGE', `Namespace ${name} is being deleted and cannot be restored.`);
    return {
      effects: [who, 'It may be bound again, by which it gets a new credential. Those that ended stay ended.'],
      question: `Let app cluster ${name} be bound again.`,
      annotations: { [annotations.access]: null, [annotations.purge]: null },
      isDone: !hasEnded,
      waiting: 'Restoring it',
      ends: 'before',
      until: 'marked',
      outcome: `App cluster ${name} may be bound again.`,
    };
  }
  if (!hasEnded) {
    const message = `Revoke the access of app cluster ${name} first (klutch backend revoke ${name}), and make sure that nobody needs its data.`;
    throw new KlutchError('KLUTCH_USAGE', message);
  }
  return {
    effects: [
      who,
      `Deleted are namespace ${name} and ${serviceNamespaces.length} namespaces with its data: ${serviceNamespaces.join(', ') || 'none'}.`,
    ],
    question: `Delete app cluster ${name} with all its data, which cannot be undone.`,
    annotations: { [annotations.purge]: name },
    isDone: false,
    waiting: 'Deleting it',
    until: 'gone',
    outcome: `App cluster ${name} is gone.`,
  };
}

function describe(name: string, notes: Readonly<Record<string, string>>): string {
  const facts = [
    ['tenant', notes[annotations.tenantName]],
    ['cluster id', notes[annotations.appClusterId]],
    ['last bound by', notes[annotations.boundBy]],
  ].flatMap(([what, value]) => (value ? [`${what} ${value}`] : []));
  return `${name} is an app cluster${facts.length > 0 ? ` (${facts.join(', ')})` : ''}.`;
}
