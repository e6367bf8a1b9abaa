import { type CustomResourceDefinition, type ServiceDescription, serviceDescriptionOf } from '@klutch/api';

/** A field that a developer can set. */
export interface Parameter {
  /** Below `spec`, with dots. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  /** The values that are allowed, where the schema or a rule lists them. */
  readonly values?: readonly string[];
  readonly description?: string;
}

/** A service as a developer sees it: the kind to write, its services and plans, and what can be set. */
export interface Service {
  /** `<plural>.<group>`. */
  readonly api: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly displayName?: string;
  readonly description?: string;
  readonly documentation?: string;
  readonly services: readonly string[];
  readonly plans: readonly Plan[];
  /** `spec` of a claim that the provider says is accepted. */
  readonly example?: unknown;
  readonly parameters: readonly Parameter[];
}

/** What an instance can be; more than the name is known where the provider tells it. */
export type Plan = NonNullable<ServiceDescription['plans']>[number];

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
}

/** Pure: what a CRD says to a developer, in the version that is stored, and in the words of its provider where there are some. */
export function serviceOf(crd: CustomResourceDefinition): Service {
  const { group, names, scope, versions } = crd.spec;
  const version = versions.find(({ storage }) => storage) ?? versions[0];
  const schema = (version?.schema?.openAPIV3Schema ?? {}) as Schema;
  const spec = schema.properties?.['spec'] ?? {};
  const rules = [schema, spec].flatMap((part) => part['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
  const parameters = parametersOf(spec, rules).filter(({ path }) => !bookkeeping.test(path));
  const valuesOf = (path: string) => parameters.find((parameter) => parameter.path === path)?.values ?? [];
  const told = serviceDescriptionOf(crd);
  return {
    api: `${names.plural}.${group}`,
    kind: names.kind,
    apiVersion: `${group}/${version?.name ?? ''}`,
    namespaced: scope === 'Namespaced',
    displayName: told?.displayName,
    description: told?.description ?? schema.description ?? spec.description,
    documentation: told?.documentation,
    services: told?.versions?.map(({ name }) => name) ?? valuesOf('service'),
    plans: told?.plans ?? valuesOf('plan').map((name) => ({ name })),
    example: told?.example,
    parameters,
  };
}

/** Fields of claims that Crossplane fills in, or that the catalogue has no use for. */
const bookkeeping =
  /^(?:composition(?:RevisionRef|RevisionSelector|Selector)|publishConnectionDetailsTo|resourceRef|writeConnectionSecretToRef)\b/;

function parametersOf(schema: Schema, rules: readonly string[], prefix = ''): readonly Parameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = [...rules, ...(field['x-kubernetes-validations'] ?? []).map(({ rule }) => rule)];
    if (field.properties) return parametersOf(field, inner, `${path}.`);
    return [
      {
        path,
        type: typeOf(field),
        required: schema.required?.includes(name) ?? false,
        default: field.default,
        values: valuesOf(name, field, inner),
        description: field.description,
      },
    ];
  });
}

function typeOf({ type, items, 'x-kubernetes-int-or-string': isEither }: Schema): string {
  if (isEither) return 'integer or string';
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return type ?? 'anything';
}

/** Values in an enumeration or, as the catalogue of PostgreSQL has them, in rules such as `self.plan in ["a", "b"]` and `self.?plan.orValue("") in ["a", "b"]`. */
function valuesOf(name: string, field: Schema, rules: readonly string[]): readonly string[] | undefined {
  if (field.enum) return field.enum.map(String);
  const listed = rules.flatMap((rule) =>
    [...rule.matchAll(new RegExp(`(?:\\b${name}(?:\\.orValue\\(""\\))?|\\bself)\\s+in\\s+\\[([^\\]]*)\\]`, 'g'))]
      .filter(
        ([text]) => text.startsWith(name) || (field['x-kubernetes-validations'] ?? []).some((own) => own.rule === rule),
      )
      .flatMap(([, list = '']) =>
        [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].flatMap(([, double, single]) => double || single || []),
      ),
  );
  return listed.length > 0 ? [...new Set(listed)] : undefined;
}
