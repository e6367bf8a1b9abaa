import type { Catalogue, Effect } from '@klutch/catalog';
import type { KubeClient } from '@klutch/kube';
import { createProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { compare, type Comparison } from './compare.ts';
import { type Desired, desiredOn } from './desired.ts';
import { effectsOn } from './effects-on.ts';

/** A catalogue, held against a control plane. */
export interface ObservedCatalogue {
  readonly desired: Desired;
  readonly comparison: Comparison;
  readonly effects: readonly Effect[];
}

/** Finds out how a control plane differs from a catalogue, and what the difference means for its instances. Changes nothing. */
export async function observeCatalogue(
  { client, name }: { readonly client: KubeClient; readonly name: string },
  catalogue: Catalogue,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ObservedCatalogue> {
  const progress = createProgress(terminal);
  return await progress.during(`Comparing the catalogue with the control plane ${name}`, async () => {
    const desired = await desiredOn(client, catalogue, signal);
    for (const { kind, group } of desired.missing) progress.warn(missingText(kind, group));
    const comparison = await compare(client, desired, signal);
    return { desired, comparison, effects: await effectsOn(client, catalogue, comparison, signal) };
  });
}

function missingText(kind: string, group: string): string {
  if (kind === 'CompositeResourceDefinition') {
    return `The control plane does not know ${kind} of ${group}: Crossplane is not installed. CRDs are applied in place of definitions, and nothing composes claims.`;
  }
  return `The control plane does not know ${kind} of ${group}; objects of that kind are left out. Install what brings it, then apply again.`;
}
