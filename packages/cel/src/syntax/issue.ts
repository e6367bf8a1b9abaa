import type { Position } from './expr.ts';

/** Something wrong with an expression, at a place in its source. */
export interface Issue {
  readonly at: Position;
  readonly message: string;
}

/** Where an issue is that concerns the whole expression. */
export const NOWHERE: Position = -1;

/** An expression that cannot be read. */
export class SyntaxIssue extends Error {
  override readonly name = 'SyntaxIssue';
  readonly at: Position;

  constructor(at: Position, message: string) {
    super(message);
    this.at = at;
  }
}

/** Issues as Kubernetes shows them: in the order of the source, each with the line and a mark below it. */
export function showIssues(source: string, issues: readonly Issue[]): string {
  return issues
    .map((issue) => ({ issue, ...locate(source, issue.at) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ issue, line, column, text }) => {
      if (issue.at === NOWHERE) return `ERROR: <input>:-1:0: ${issue.message}`;
      const shown = text.replaceAll('\t', ' ');
      return `ERROR: <input>:${line}:${column + 1}: ${issue.message}\n | ${shown}\n | ${mark(shown, column)}`;
    })
    .join('\n');
}

function locate(source: string, at: Position): { line: number; column: number; text: string } {
  const before = source.slice(0, at).split('\n');
  const line = before.length;
  return { line, column: Array.from(before.at(-1) ?? '').length, text: source.split('\n')[line - 1] ?? '' };
}

/** Wide characters get wide dots, so that the mark stands below its target in a fixed-width font. */
function mark(text: string, column: number): string {
  const chars = Array.from(text);
  const isWide = (char: string | undefined) => char !== undefined && char > '\u007f';
  const dots = chars.slice(0, column).map((char) => (isWide(char) ? '\uff0e' : '.'));
  return dots.join('') + (isWide(chars[column]) ? '\uff3e' : '^');
}
