import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** `klutch completion` */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('Print a script that completes commands and flags in a shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
bash:  source <(klutch completion bash)
zsh:   source <(klutch completion zsh)
fish:  klutch completion fish | source`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../completion/completion-script.ts');
      const { wordsOf } = await import('../completion/words.ts');
      terminal.print(completionScript(shell, wordsOf(program)));
    });
}
