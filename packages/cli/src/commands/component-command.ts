import { Command } from 'commander';

/**
 * A command that runs a component. Its flags are declared for the help and for mistakes; the component reads them itself, in all
 * the forms that the flags of its Go predecessor may have. Sub-commands read theirs as commander does.
 */
export class ComponentCommand extends Command {
  given: readonly string[] = [];
  readonly #switchWithValue: RegExp;

  /** `switches` are the flags that Go lets have a value although they need none, without their dashes; a regular expression. */
  constructor(name: string, switches: string) {
    super(name);
    this.#switchWithValue = new RegExp(`^(--(?:${switches}))=(?:true|false)$`);
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    this.given = args;
    const isForSubcommand = this.commands.some((command) => command.name() === args[0]);
    return super.parseOptions(isForSubcommand ? args : args.map((arg) => this.#withTwoDashes(arg)));
  }

  #withTwoDashes(arg: string): string {
    const dashed = /^-[a-z]./.test(arg) ? `-${arg}` : arg;
    return dashed.replace(/^--v(?=\d+$)/, '--v=').replace(this.#switchWithValue, '$1');
  }
}
