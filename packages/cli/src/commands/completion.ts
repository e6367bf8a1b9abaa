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
fish:  klutch completion fish | source

\`kubectl bind\` is completed by kubectl itself, with the program kubectl_complete-bind that is installed next to kubectl-bind.`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('../completion/completion-script.ts');
      const { wordsOf } = await import('../completion/words.ts');
      terminal.print(completionScript(shell, wordsOf(program)));
    });
  addComplete(program, terminal);
}

/** `klutch __complete`, as programs built with Cobra have it: kubectl_complete-bind prints what it prints. */
function addComplete(program: Command, terminal: Terminal): void {
  program
    .command('__complete', { hidden: true })
    .argument('[word...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: readonly string[]) => {
      const { asCobra, complete } = await import('../completion/complete.ts');
      terminal.print(asCobra(complete(program, words)));
    });
}
