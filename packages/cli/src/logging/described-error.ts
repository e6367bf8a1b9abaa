/** What a log line tells about an error. */
interface DescribedError {
  readonly code?: string;
  readonly message: string;
  /** Where an error that nobody foresaw comes from. */
  readonly at?: readonly string[];
}

/**
 * Pure: an error as it may be shown. Errors with a code explain themselves, in texts that were written to be shown; their
 * causes were not, and those of parsers quote what they read, which may be a secret.
 */
export function describedError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string') return { code, message: error.message };
  const message = error instanceof SyntaxError ? 'a text could not be parsed' : error.message;
  return { message: `${error.name}: ${message}`, at: framesOf(error) };
}

function framesOf({ stack = '' }: Error): readonly string[] {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return frames.slice(0, 8).map((line) => line.trim().slice('at '.length));
}
