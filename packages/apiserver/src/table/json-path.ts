/**
 * Values at a path such as `.spec.items[0].name`, `.status.conditions[?(@.type=="Ready")].status` or
 * `.metadata.labels.app\\.kubernetes\\.io/name`: the part of JSONPath that printer columns use, as kubectl and
 * kube-apiserver read it. Nothing there, or a path that makes no sense for the values: no values.
 */
export function readJsonPath(root: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [root];
  for (const step of stepsOf(path)) {
    const next = values.map(step);
    if (next.includes(undefined)) return [];
    values = next.flatMap((found) => found ?? []);
  }
  return values;
}

/** What a value leads to; undefined when the step cannot be taken, which ends the search. */
type Step = (value: unknown) => readonly unknown[] | undefined;

const known = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  const found = known.get(path);
  if (found) return found;
  const steps = parse(path.replace(/^\{|\}$/g, '').replace(/^[$@]/, ''));
  known.set(path, steps);
  return steps;
}

const token = /(\.\.?)((?:\\.|[^.[\]\\])+)|\[((?:"[^"]*"|'[^']*'|[^\]'"])*)\]/y;

function parse(path: string): readonly Step[] {
  const steps: Step[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < path.length) {
    const match = token.exec(path);
    if (!match) return [() => undefined];
    const [, dots, name = '', brackets] = match;
    if (dots === '..') steps.push(everythingBelow);
    steps.push(brackets === undefined ? child(name.replace(/\\(.)/g, '$1')) : bracketed(brackets.trim()));
  }
  return steps;
}

function child(name: string): Step {
  if (name === '*') return contents;
  return (value) => {
    if (!isObject(value)) return [];
    return Object.hasOwn(value, name) ? [value[name]] : [];
  };
}

const contents: Step = (value) => {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
};

const everythingBelow: Step = (value) => [
  value,
  ...(contents(value) ?? []).flatMap((inner) => everythingBelow(inner) ?? []),
];

function bracketed(text: string): Step {
  if (text === '*') return contents;
  if (text.startsWith('?(')) return filter(text.slice(2, -1));
  if (/^(['"]).*\1$/.test(text)) return child(text.slice(1, -1));
  const [, from, colon, to] = /^(-?\d*)(:?)(-?\d*)(?::\d+)?$/.exec(text) ?? [];
  if (from === undefined || text === '') return () => undefined;
  return (value) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return undefined;
    if (colon === ':') return value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to));
    const at = Number(from) < 0 ? Number(from) + value.length : Number(from);
    return at < value.length && at >= 0 ? [value[at]] : undefined;
  };
}

const comparison = /^@?(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/;

function filter(text: string): Step {
  const [, path = text.replace(/^@/, ''), operator, operand = ''] = comparison.exec(text.trim()) ?? [];
  const wanted = literal(operand);
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const found: unknown[] = [];
    for (const item of value) {
      const [content, ...others] = readJsonPath(item, path);
      if (operator === undefined) {
        if (content !== undefined) found.push(item);
        continue;
      }
      if (content === undefined) continue;
      if (others.length > 0 || typeof content !== typeof wanted) return undefined;
      if (holds(content as string, operator, wanted as string)) found.push(item);
    }
    return found;
  };
}

function literal(text: string): unknown {
  const trimmed = text.trim();
  if (/^(['"]).*\1$/.test(trimmed)) return trimmed.slice(1, -1);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}

function holds<Scalar extends string | number>(left: Scalar, operator: string, right: Scalar): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
