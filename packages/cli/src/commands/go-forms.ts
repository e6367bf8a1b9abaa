import { Command } from 'commander';

/**
 * A command that reads flags in all the forms that the Go CLI has: `--switch=true`, `--switch=false`, and `-v4`. Flags with an
 * optional value never take the argument after them.
 */
export class GoFormsCommand extends Command {
  override createCommand(name?: string): GoFormsCommand {
    return new GoFormsCommand(name);
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    return super.parseOptions(this.#inOurForms(args));
  }

  #inOurForms(args: readonly string[]): string[] {
    const end = args.indexOf('--');
    const flags = end < 0 ? args : args.slice(0, end);
    return [...flags.flatMap((arg) => this.#inOurForm(arg)), ...(end < 0 ? [] : args.slice(end))];
  }

  #inOurForm(arg: string): readonly string[] {
    const [flag = '', value] = /^(--?[a-z][a-z-]*)(?:=(.*))?$/s.exec(arg)?.slice(1) ?? [];
    const option = this.options.find(({ long, short }) => flag !== '' && (long === flag || short === flag));
    if (option === undefined) return [arg];
    if (option.optional) return [`${option.long ?? flag}=${value ?? 'true'}`];
    // Of short flags, `=` would be part of the value.
    if (!option.isBoolean()) return value === undefined ? [arg] : [`${option.long ?? flag}=${value}`];
    if (value === undefined) return [arg];
    if (value === 'false') return [];
    return value === 'true' ? [flag] : [arg];
  }
}
