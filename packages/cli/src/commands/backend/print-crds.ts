import { crds } from '@klutch/api';
import { yamlOf } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Prints the CRDs of a control plane as YAML documents. */
export async function printCrds(terminal: Pick<Terminal, 'print'>): Promise<void> {
  const texts = await Promise.all(crds.map(yamlOf));
  terminal.print(texts.join('\n---\n'));
}
