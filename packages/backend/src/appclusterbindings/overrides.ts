import type { KonnectorOverrides } from '@klutch/api';
import type { Container, EnvVariable } from '../objects/deployment.ts';

/** Changes to the konnector's container that are allowed, or what is wrong with them. */
export type OverridesVerdict =
  | { readonly changes: ContainerChanges }
  /** Each names a field and says why it is refused. */
  | { readonly refused: readonly string[] };

export interface ContainerChanges extends Partial<Pick<Container, 'image' | 'imagePullPolicy' | 'resources'>> {
  /** In addition to the arguments of the mode. */
  readonly args: readonly string[];
  readonly env: readonly EnvVariable[];
  /** On top of the strict default. */
  readonly securityContext: Readonly<Record<string, unknown>>;
}

/**
 * Pure: which of the changes that a binding wants on its konnector are made. Whoever may create a binding must not be
 * able to run another program than the konnector, or with more privileges. Empty values count as not given, as for the
 * Go backend.
 */
export function judgeOverrides(
  overrides: KonnectorOverrides | undefined,
  allowedImages: readonly string[],
): OverridesVerdict {
  const given = Object.entries(overrides ?? {}).filter(([, value]) => !isEmpty(value));
  const refused = given.flatMap(([field, value]) => (rules[field] ?? notAllowed)(value, field, allowedImages));
  if (refused.length > 0) return { refused };
  const {
    image,
    imagePullPolicy,
    resources,
    args = [],
    env = [],
    securityContext,
  } = Object.fromEntries(given) as {
    readonly [K in keyof KonnectorOverrides]: KonnectorOverrides[K];
  };
  return {
    changes: {
      ...(image ? { image } : {}),
      ...(imagePullPolicy ? { imagePullPolicy } : {}),
      ...(resources ? { resources } : {}),
      args,
      env,
      // A zero, such as for runAsUser, counts as not given, and must not slip through as one.
      securityContext: Object.fromEntries(Object.entries(securityContext ?? {}).filter(([, value]) => !isEmpty(value))),
    },
  };
}

/** Whether an image is one of those named, or below one of them; `a/b` does not allow `a/b-other`. */
export function isAllowedImage(image: string, allowed: readonly string[]): boolean {
  return allowed.some((prefix) => {
    if (!image.startsWith(prefix) || prefix === '') return false;
    return image.length === prefix.length || /[:@/]$/.test(prefix) || /^[:@/]/.test(image.slice(prefix.length));
  });
}

type Judge = (value: unknown, field: string, allowedImages: readonly string[]) => readonly string[];

const notAllowed: Judge = (_, field) => [`${field}: may not be changed`];

const rules: Readonly<Record<string, Judge>> = {
  name: (value, field) => (value === 'konnector' ? [] : notAllowed(value, field, [])),
  image: (value, field, allowed) =>
    isAllowedImage(String(value), allowed)
      ? []
      : [`${field}: "${String(value)}" is none of the images that the backend allows (--konnector-images)`],
  imagePullPolicy: () => [],
  resources: (value, field) => (hasValue(value, 'claims') ? [`${field}.claims: may not be changed`] : []),
  args: (value, field) => list(value).flatMap((arg) => judgeArgument(String(arg), field)),
  env: (value, field) => list(value).flatMap((variable) => judgeVariable(variable as EnvVariable, field)),
  securityContext: (value, field) =>
    Object.entries(value as object).flatMap(([name, setting]) =>
      isEmpty(setting) || strictSettings[name]?.(setting) ? [] : [`${field}.${name}: would weaken the konnector's pod`],
    ),
};

/** Flags that neither change what the konnector connects to nor as whom. */
const harmlessFlag =
  /^--?(v|vmodule|log-level|log-format|logging-format|heartbeat-interval|copy-labels|copy-annotations)=/;

function judgeArgument(arg: string, field: string): readonly string[] {
  if (harmlessFlag.test(arg)) return [];
  return [`${field}: "${arg}" is not allowed; --log-level=…, --heartbeat-interval=… and --copy-labels=… are`];
}

/** Variables that configure; others, such as NODE_OPTIONS, could make the process run something else. */
const harmlessVariable = /^(https?_proxy|no_proxy|log_level|tz|gomaxprocs|gomemlimit|godebug)$/i;
const ownSources = new Set(['fieldRef', 'resourceFieldRef']);

function judgeVariable({ name, valueFrom }: EnvVariable, field: string): readonly string[] {
  const path = `${field}[${name}]`;
  if (!harmlessVariable.test(name)) return [`${path}: is not one of the variables that may be set`];
  const sources = isEmpty(valueFrom) ? [] : Object.keys(valueFrom as object);
  return sources.every((source) => ownSources.has(source)) ? [] : [`${path}: may not be read from another object`];
}

/** Settings of a security context, and the values that make it no weaker. */
const strictSettings: Readonly<Record<string, (value: unknown) => boolean>> = {
  runAsUser: isOtherThanRoot,
  runAsGroup: isOtherThanRoot,
  runAsNonRoot: (value) => value === true,
  readOnlyRootFilesystem: (value) => value === true,
  capabilities: (value) => !hasValue(value, 'add'),
  seccompProfile: (value) => (value as { readonly type?: unknown }).type === 'RuntimeDefault',
};

function isOtherThanRoot(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function hasValue(value: unknown, key: string): boolean {
  return !isEmpty((value as Readonly<Record<string, unknown>>)[key]);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  return Object.keys(value).length === 0;
}
