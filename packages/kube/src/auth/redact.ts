const REDACTED = '[redacted]';

/** Names of settings whose values are secret. */
const SECRET_NAME = /secret|token|passw|credential|api.?key|access.?key|private.?key/i;

/**
 * Text of a foreign program, made fit to be shown: without the `secrets` we know, without what looks like one, and
 * without characters that control a terminal. Rather hides too much than too little.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let shown = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    // Shorter values are words such as "true", and hiding them would only make the text unreadable.
    if (secret.length >= 4) shown = shown.replaceAll(secret, REDACTED);
  }
  for (const [pattern, replacement] of patterns) shown = shown.replaceAll(pattern, replacement);
  return shown
    .replaceAll(/[A-Za-z0-9+/_=-]{24,}/g, (run) => (looksRandom(run) ? REDACTED : run))
    .replaceAll(controls, '');
}

/** Values among environment variables and command-line flags that their names say are secret. */
export function secretsAmong(env: NodeJS.ProcessEnv, args: readonly string[]): string[] {
  const fromEnv = Object.entries(env).map(([name, value]) => (SECRET_NAME.test(name) ? value : undefined));
  const fromArgs = args.map((arg, index) => {
    const [flag = '', value] = arg.split(/=(.*)/s);
    if (!flag.startsWith('-') || !SECRET_NAME.test(flag)) return undefined;
    return value ?? args[index + 1];
  });
  return [...fromEnv, ...fromArgs].filter((value) => value !== undefined);
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [\s\S]*?(-----END [A-Z0-9 ]+-----|$)/g, REDACTED],
  // An end without its beginning: the text before it was cut off.
  [/^[\s\S]*-----END [A-Z0-9 ]+-----/g, REDACTED],
  // Tokens as three dotted parts, and bootstrap tokens as two.
  [/eyJ[\w-]+\.[\w-]*(\.[\w-]*)?/g, REDACTED],
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, REDACTED],
  [/\b(bearer|basic)\s+[^\s"',]+/gi, `$1 ${REDACTED}`],
  [
    /((?:secret|token|passw(?:or)?d|credential|api.?key|access.?key)["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi,
    `$1${REDACTED}`,
  ],
  // User and password of a URL.
  [/:\/\/[^\s/@]+@/g, `://${REDACTED}@`],
];

/** All but line breaks and tabs. */
const controls = /[^\P{Cc}\n\t]/gu;

/** Paths and words have neither mixed case with digits nor the length of an encoded secret. */
function looksRandom(run: string): boolean {
  const mixed = /[a-z]/.test(run) && /[A-Z]/.test(run) && /[0-9]/.test(run);
  const long = run.length >= 32 && !run.includes('/') && /[0-9]/.test(run);
  return mixed || long;
}
