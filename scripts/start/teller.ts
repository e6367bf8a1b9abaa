/** Tells a story in numbered steps, on a screen or into a file. */
export interface Teller {
  say(text: string): void;
  /** Begins the next step. */
  step(title: string): void;
  /** A command that does what happens now, as a user would type it. */
  command(text: string): void;
  /** Something that goes on, or that a program says. */
  note(text: string): void;
  /** Something that was seen to be so. */
  done(text: string): void;
  /** Since the beginning. */
  seconds(): string;
}

export function createTeller(screen: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Teller {
  const started = performance.now();
  const isPlain = !screen.isTTY || Boolean(process.env['NO_COLOR']);
  const styled = (code: number, text: string) => (isPlain ? text : `\u001B[${code}m${text}\u001B[0m`);
  const say = (text: string) => void screen.write(`${text}\n`);
  const inner = (text: string, mark: string) => say(`   ${mark} ${text.replaceAll('\n', '\n     ')}`);
  let steps = 0;
  return {
    say,
    step: (title) => say(`\n${styled(1, `${++steps}. ${title}`)}`),
    command: (text) => inner(styled(36, text), '$'),
    note: (text) => inner(styled(2, text), ' '),
    done: (text) => inner(text, styled(32, '✓')),
    seconds: () => ((performance.now() - started) / 1000).toFixed(1),
  };
}
