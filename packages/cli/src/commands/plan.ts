import { type Command, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** What `klutch plan` is told. */
export interface PlanFlags {
  readonly filename: string;
  readonly change?: string;
  readonly catalog?: readonly string[];
  readonly output: 'text' | 'json' | 'yaml';
}

/** `klutch plan` */
export function addPlan(program: Command, terminal: Terminal): void {
  program
    .command('plan')
    .description(
      'Show what claims would create or change, or why they would be refused, without touching a cluster. The rules are those of the catalogue that comes with klutch, or of folders that add to it.',
    )
    .requiredOption('-f, --filename <file>', 'file with claims; - is standard input')
    .option('--change <file>', 'file with the same claims as they are now')
    .option('--catalog <folder...>', 'folders of a catalogue, as klutch catalog takes them')
    .addOption(
      new Option('-o, --output <format>', 'form of the result').choices(['text', 'json', 'yaml']).default('text'),
    )
    .action(async (flags: PlanFlags) => {
      const { planClaims } = await import('./plan/run.ts');
      await planClaims(flags, terminal);
    });
}
