import { type ConditionState, falseCondition, fieldManager } from '@klutch/api';
import { isKubeError, type KubeClient } from '@klutch/kube';
import type { Decision, Write } from './decision.ts';

/** What came of a decision. */
export interface Outcome {
  readonly conditions: readonly ConditionState[];
  /** What made a step fail; to be tried again. */
  readonly errors: readonly unknown[];
}

/**
 * Takes the steps of a decision. Whatever fails is told as a condition, and holds up only what depends on it. `written` is
 * awaited after each write.
 */
export async function act(
  client: KubeClient,
  { conditions, steps }: Decision,
  signal: AbortSignal,
  written: (what: Write) => Promise<void> = async () => {},
): Promise<Outcome> {
  const told = [...conditions];
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      for (const one of step.writes) {
        await write(client, one, signal);
        await written(one);
      }
      told.push(step.verdict);
    } catch (error) {
      signal.throwIfAborted();
      if (isKubeError(error, 'KUBE_LEADERSHIP_LOST')) throw error;
      errors.push(error);
      // Both only say that the cache was a moment behind.
      if (!isKubeError(error, 'KUBE_CONFLICT', 'KUBE_ALREADY_EXISTS'))
        told.push(failed(step.condition, step.failure, error));
      if (step.isVital) break;
    }
  }
  return { conditions: told, errors };
}

/** Sends one write. What is to go and is gone, or is to be created and is there, is left to the next look. */
export async function write(client: KubeClient, what: Write, signal: AbortSignal): Promise<void> {
  const resource = client.resource(what.type);
  try {
    if (what.verb === 'create') await resource.create(what.object, { signal, fieldManager });
    else if (what.verb === 'apply') await resource.apply(what.object, { signal, fieldManager, force: true });
    else if (what.verb === 'patch') {
      await resource.patch(what.ref, { type: 'merge', patch: what.patch }, { signal, fieldManager });
    } else await resource.delete(what.ref, { signal, preconditions: { uid: what.uid }, propagation: 'Background' });
  } catch (error) {
    const isDone =
      (what.verb === 'delete' && isKubeError(error, 'KUBE_NOT_FOUND')) ||
      (what.verb === 'create' && isKubeError(error, 'KUBE_ALREADY_EXISTS') && what.type.namespaced);
    if (!isDone) throw error;
  }
}

/** The condition that says why something failed. */
export function failed(type: string, reason: string, error: unknown): ConditionState {
  const message = error instanceof Error ? error.message : String(error);
  return falseCondition(type, 'Error', reason, message);
}
