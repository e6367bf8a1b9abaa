import type { Command, Option } from 'commander';

/** What a shell can offer for a word that is not finished. */
export interface Completions {
  readonly words: readonly string[];
  /** Whether names of files fit, too. */
  readonly files: boolean;
}

/** Pure: what can follow these words, the last of which is not finished and may be empty. */
export function complete(program: Command, typed: readonly string[]): Completions {
  const before = typed.slice(0, -1);
  const unfinished = typed.at(-1) ?? '';
  const command = commandOf(program, before);
  const flag = optionOf(command, before.at(-1));
  if (flag !== undefined && flag.required) {
    const words = (flag.argChoices ?? []).filter((word) => word.startsWith(unfinished));
    return { words, files: flag.argChoices === undefined };
  }
  const help = command.createHelp();
  const names = help.visibleCommands(command).map((below) => below.name());
  const flags = help
    .visibleOptions(command)
    .flatMap(({ long, short }) => [long, short].filter((one) => one !== undefined));
  const offered = unfinished.startsWith('-') ? flags : names;
  return { words: offered.filter((word) => word.startsWith(unfinished)), files: false };
}

/** Pure: completions as programs built with Cobra print them for shells: a word in each line, and a directive in the last. */
export function asCobra({ words, files }: Completions): string {
  const directive = files ? 0 : noFiles;
  return [...words, `:${directive}`].join('\n');
}

/** `ShellCompDirectiveNoFileComp` */
const noFiles = 4;

function commandOf(program: Command, words: readonly string[]): Command {
  return words.reduce((at, word) => at.commands.find((below) => below.name() === word) ?? at, program);
}

function optionOf(command: Command, word: string | undefined): Option | undefined {
  return command.options.find(({ long, short }) => word !== undefined && (long === word || short === word));
}
