import { parseArgs } from 'node:util';
import { KlutchError } from '@klutch/api';

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const toggle = { type: 'boolean' } as const;

/** Every flag of the backend. */
const known = {
  kubeconfig: text,
  namespace: text,
  'tenant-role': text,
  'pretty-name': text,
  'namespace-prefix': text,
  'consumer-scope': text,
  'cluster-scoped-isolation': text,
  'external-address': text,
  'external-ca-file': text,
  'external-server-name': text,
  'external-url': text,
  'oidc-issuer-url': text,
  'oidc-issuer-client-id': text,
  'oidc-issuer-client-secret': text,
  'oidc-client-secret-file': text,
  'oidc-callback-url': text,
  'oidc-authorize-url': text,
  'oidc-ca-file': text,
  'oidc-scopes': list,
  'oidc-additional-client-ids': list,
  'cookie-signing-key': text,
  'cookie-signing-key-file': text,
  'cookie-encryption-key': text,
  'cookie-encryption-key-file': text,
  'allowed-users': list,
  'allowed-groups': list,
  'allow-all-users': toggle,
  'groups-claim': text,
  'tenant-groups': text,
  'machine-clients': list,
  'machine-scope': text,
  'machine-audience': list,
  'token-lifetime': text,
  'token-grace': text,
  'app-cluster-expiry': text,
  'max-clusters-per-tenant': text,
  'max-namespaces-per-cluster': text,
  'max-objects-per-namespace': text,
  'requests-per-minute': text,
  'requests-per-minute-per-address': text,
  'listen-address': text,
  'operations-address': text,
  'listen-ip': text,
  'listen-port': text,
  'tls-cert-file': text,
  'tls-key-file': text,
  'insecure-http': toggle,
  'trusted-proxies': list,
  'control-plane-mode': toggle,
  'konnector-image': text,
  'konnector-images': list,
  'lease-name': text,
  'testing-auto-select': text,
  v: text,
  vmodule: text,
  'logging-format': text,
  'log-flush-frequency': text,
  'log-text-split-stream': text,
  'log-text-info-buffer-size': text,
} as const;

type Known = typeof known;
type FlagOf<D> = { [K in keyof Known]: Known[K] extends D ? K : never }[keyof Known];
export type ListFlag = FlagOf<{ multiple: true }>;
export type TextFlag = Exclude<FlagOf<{ type: 'string' }>, ListFlag>;

/** What was given on the command line. */
export interface Flags {
  /** Undefined when the flag is missing or empty, as Go's flags are when they were not given. */
  text(flag: TextFlag): string | undefined;
  /** All values, those given together separated by commas. */
  list(flag: ListFlag): readonly string[];
  isOn(flag: FlagOf<{ type: 'boolean' }>): boolean;
  /** Whether a flag whose name begins so was given. */
  hasAny(prefix: string): boolean;
}

/** Reads a command line, in all the forms that flags of Go may have. Throws `KLUTCH_USAGE`, naming the flag. */
export function parseFlags(args: readonly string[]): Flags {
  const values = parsed(args);
  const separated = (flag: ListFlag) =>
    (values[flag] ?? []).flatMap((value) => value.split(',')).map((value) => value.trim());
  return {
    text: (flag) => values[flag] || undefined,
    list: (flag) => separated(flag).filter((value) => value !== ''),
    isOn: (flag) => values[flag] ?? false,
    hasAny: (prefix) => Object.entries(values).some(([flag, value]) => flag.startsWith(prefix) && value !== ''),
  };
}

/** An error that names the flag. */
export function usage(flag: string, problem: string): KlutchError {
  return new KlutchError('KLUTCH_USAGE', `--${flag} ${problem}.`);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: args.flatMap(goStyle), options: known, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    // The parser's sentence names the flag; what follows it is advice on its own syntax.
    const [problem] = (cause instanceof Error ? cause.message : String(cause)).split('. To specify');
    throw new KlutchError('KLUTCH_USAGE', problem ?? '', { cause });
  }
}

/** Go takes `-flag` for `--flag`, `-v=2` for `--v=2`, and a value for a boolean flag. */
function goStyle(arg: string): string[] {
  const dashed = /^-[a-z]/.test(arg) ? `-${arg}` : arg;
  const [, flag = '', value] = /^--([a-z-]+)=(true|false)$/.exec(dashed) ?? [];
  const isToggle = Object.hasOwn(known, flag) && known[flag as keyof Known].type === 'boolean';
  if (!isToggle) return [dashed];
  return value === 'true' ? [`--${flag}`] : [];
}
