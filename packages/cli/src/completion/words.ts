import type { Command } from 'commander';

/** What can follow a command: the path of names, and the sub-commands and flags after it. */
export interface Words {
  /** Such as `konnector install`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
}

/** Pure: everything that can be typed, command by command. */
export function wordsOf(program: Command, path: readonly string[] = []): readonly Words[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const flags = help
    .visibleOptions(program)
    .flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  const here = { path: path.join(' '), words: [...commands.map((command) => command.name()), ...flags] };
  const below = commands.filter((command) => command.name() !== 'help');
  return [here, ...below.flatMap((command) => wordsOf(command, [...path, command.name()]))];
}
