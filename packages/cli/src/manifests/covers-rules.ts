/** An RBAC rule as a server sends it. */
interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Pure: whether some rules allow all that others do. A single rule has to cover each wanted combination. */
export function coversRules(has: unknown, wanted: unknown): boolean {
  const rules = (has ?? []) as readonly Rule[];
  return ((wanted ?? []) as readonly Rule[]).every((rule) =>
    combinations(rule).every((deed) => rules.some((one) => allows(one, deed))),
  );
}

interface Deed {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly name?: string;
}

function combinations({ apiGroups = [], resources = [], verbs = [], resourceNames }: Rule): readonly Deed[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => (resourceNames ?? [undefined]).map((name) => ({ group, resource, verb, name }))),
    ),
  );
}

function allows(rule: Rule, { group, resource, verb, name }: Deed): boolean {
  const isNamed = rule.resourceNames === undefined || (name !== undefined && rule.resourceNames.includes(name));
  return isNamed && has(rule.apiGroups, group) && has(rule.resources, resource) && has(rule.verbs, verb);
}

function has(values: readonly string[] | undefined, value: string): boolean {
  return values?.some((one) => one === '*' || one === value) ?? false;
}
