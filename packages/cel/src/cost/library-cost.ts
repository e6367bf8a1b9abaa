import { isSameType } from '../types/cel-type.ts';
import { FORMAT_NAME_LENGTH, FORMAT_REGEX_LENGTH, LIST_CREATION, REGEX_LENGTH, STRING_TRAVERSAL } from './factors.ts';
import { elementOf, type Operand, sizeOf, type Sizes } from './operand.ts';
import { exactly, plus, type Range, scaled, times } from './range.ts';

/** What a call costs by itself, without its arguments, and how large its result is. */
export interface CallCost {
  readonly cost: Range;
  readonly size?: Range;
}

/** A call of a function of a library. */
export interface LibraryCall {
  readonly name: string;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  readonly sizes: Sizes;
}

/** The cost of a call that a library has an opinion about; undefined for all others. */
export function libraryCost(call: LibraryCall): CallCost | undefined {
  return extensionCost(call) ?? (Object.hasOwn(COSTS, call.name) ? COSTS[call.name]?.(call) : undefined);
}

type Estimate = (call: LibraryCall) => CallCost | undefined;

const nominal: Estimate = () => ({ cost: exactly(1) });

/** Operations on each element of a list, or on a string. */
const perElement: Estimate = ({ target, sizes }) => {
  if (!target) return undefined;
  const element = elementOf(target);
  const size = sizeOf(target, sizes);
  if (!element) return { cost: scaled(size, STRING_TRAVERSAL) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? plus(exactly(1), scaled(sizeOf(element, sizes), STRING_TRAVERSAL)) : exactly(1);
  return { cost: times(size, each) };
};

/** Reading one argument from start to end. */
const readArgument: Estimate = ({ args: [text], sizes }) =>
  text && { cost: scaled(sizeOf(text, sizes), STRING_TRAVERSAL) };

const readArgumentToText: Estimate = ({ args: [text], sizes }) => {
  if (!text) return undefined;
  const size = sizeOf(text, sizes);
  return { cost: scaled(size, STRING_TRAVERSAL), size };
};

const readTarget: Estimate = ({ target, sizes }) => {
  if (!target) return undefined;
  const size = sizeOf(target, sizes);
  return { cost: scaled(size, STRING_TRAVERSAL), size };
};

const replaceCost: Estimate = ({ target, args: [old, replacement], sizes }) => {
  if (!target || !old || !replacement) return undefined;
  const size = sizeOf(target, sizes);
  return {
    cost: scaled(size, 2 * STRING_TRAVERSAL),
    size: replacedSize(size, sizeOf(old, sizes), sizeOf(replacement, sizes)),
  };
};

/** The longest and the shortest text that replacing can give. */
function replacedSize(size: Range, old: Range, replacement: Range): Range {
  const longest = () => {
    if (old.min === 0) return (size.max + 1) * replacement.max + size.max;
    if (replacement.max <= old.min) return size.max;
    return Math.ceil(size.max / old.min) * replacement.max;
  };
  const shortest = () => {
    if (old.max === 0) return (size.min + 1) * replacement.min + size.min;
    if (old.max <= replacement.min) return size.min;
    return Math.ceil(size.min / old.max) * replacement.min;
  };
  return { min: known(shortest()), max: known(longest()) };
}

const known = (value: number) => (Number.isNaN(value) ? 0 : value);

const splitCost: Estimate = ({ target, args: [, limit], sizes }) => {
  if (!target) return undefined;
  const size = sizeOf(target, sizes);
  const literal =
    limit?.expr?.kind === 'literal' && typeof limit.expr.value === 'bigint' ? limit.expr.value : undefined;
  const max = literal === undefined ? size.max : Number(BigInt.asUintN(64, literal));
  return { cost: scaled(size, 2 * STRING_TRAVERSAL), size: { min: 0, max } };
};

const joinCost: Estimate = ({ target, args: [separator], sizes }) => {
  if (!target) return undefined;
  const count = sizeOf(target, sizes);
  const element = elementOf(target);
  const parts = element ? times(count, sizeOf(element, sizes)) : exactly(0);
  const gaps = { min: Math.max(count.min - 1, 0), max: Math.max(count.max - 1, 0) };
  const size = separator ? plus(parts, times(sizeOf(separator, sizes), gaps)) : parts;
  return { cost: scaled(size, STRING_TRAVERSAL), size };
};

const findCost: Estimate = ({ target, args: [pattern], sizes }) => {
  if (!target || !pattern) return undefined;
  const size = sizeOf(target, sizes);
  const text = scaled(plus(size, exactly(1)), STRING_TRAVERSAL);
  return { cost: times(text, scaled(sizeOf(pattern, sizes), REGEX_LENGTH)), size: { min: 0, max: size.max } };
};

const ipCost: Estimate = (call) => (call.overload === 'cidr_ip' ? nominal(call) : readArgument(call));

const canonicalCost: Estimate = ({ args: [text], sizes }) =>
  text && { cost: scaled(sizeOf(text, sizes), 2 * STRING_TRAVERSAL) };

const ADDRESS: Range = { min: 4, max: 16 };

const containsIpCost: Estimate = ({ overload, args: [text], sizes }) => {
  if (!text) return undefined;
  const compared = scaled(plus(ADDRESS, ADDRESS), STRING_TRAVERSAL);
  const read = overload.endsWith('_string') ? scaled(sizeOf(text, sizes), STRING_TRAVERSAL) : exactly(0);
  return { cost: plus(compared, read) };
};

const containsCidrCost: Estimate = (call) => {
  const compared = containsIpCost(call);
  return compared && { cost: plus(compared.cost, plus(scaled(ADDRESS, STRING_TRAVERSAL), exactly(1))) };
};

const validateCost: Estimate = ({ args: [text], sizes }) =>
  text && { cost: scaled(scaled(sizeOf(text, sizes), STRING_TRAVERSAL), FORMAT_REGEX_LENGTH * REGEX_LENGTH) };

/** Values of libraries are compared at a fixed cost; for all other types the language itself knows. */
const equalityCost: Estimate = ({ args: [left, right] }) => {
  if (!left || !right || !isSameType(left.type, right.type)) return undefined;
  const { type } = left;
  if (type.kind === 'opaque' && (type.name === 'net.IP' || type.name === 'net.CIDR')) return { cost: exactly(1) };
  if (type.kind !== 'object') return undefined;
  switch (type.name) {
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: exactly(1) };
    case 'kubernetes.NamedFormat':
      return { cost: scaled({ min: 1, max: FORMAT_NAME_LENGTH }, STRING_TRAVERSAL) };
    case 'kubernetes.URL':
      return { cost: scaled({ min: 1, max: right.size?.max ?? 1 }, STRING_TRAVERSAL) };
    default:
      return undefined;
  }
};

const every = (names: string, estimate: Estimate): Record<string, Estimate> =>
  Object.fromEntries(names.split(' ').map((name) => [name, estimate]));

const COSTS: Readonly<Record<string, Estimate>> = {
  ...every('isSorted sum max min indexOf lastIndexOf', perElement),
  ...every('lowerAscii upperAscii substring trim', readTarget),
  ...every('cidr isIP isCIDR quantity isQuantity semver isSemver', readArgument),
  ...every(
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    nominal,
  ),
  ...every(
    'sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch',
    nominal,
  ),
  ...every('getScheme getHostname getHost getPort getEscapedPath getQuery format.named', nominal),
  url: readArgumentToText,
  replace: replaceCost,
  split: splitCost,
  join: joinCost,
  find: findCost,
  findAll: findCost,
  ip: ipCost,
  'ip.isCanonical': canonicalCost,
  containsIP: containsIpCost,
  containsCIDR: containsCidrCost,
  validate: validateCost,
  '_==_': equalityCost,
};

/** The extensions for lists and sets. */
function extensionCost({ overload, target, args: [first, second], sizes }: LibraryCall): CallCost | undefined {
  const size = (operand: Operand | undefined) => (operand ? sizeOf(operand, sizes) : exactly(0));
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: plus(times(size(first), size(second)), exactly(1)) };
    case 'list_sets_equivalent_list':
      return { cost: plus(scaled(times(size(first), size(second)), 2), exactly(1)) };
    case 'list_slice':
      return newList(1, exactly(sliceLength(literalInt(first, 0), literalInt(second, size(target).max))));
    case 'lists_range':
      return newList(1, exactly(literalInt(first, Number.POSITIVE_INFINITY)));
    case 'list_reverse':
      return newList(1, size(target));
    case 'list_flatten':
      return newList(1, size(target));
    case 'list_flatten_int':
      return newList(literalInt(first, Number.POSITIVE_INFINITY), size(target));
    case 'list_distinct':
      return newList(2, times(size(target), size(target)));
    default:
      return sortingCost(overload, size(overload.endsWith('_sort') ? target : first));
  }
}

/** Kubernetes counts in unsigned numbers: a slice that ends before it starts is a very long one. */
const sliceLength = (start: number, end: number) => (end < start ? Number.POSITIVE_INFINITY : end - start);

function sortingCost(overload: string, size: Range): CallCost | undefined {
  const sorted = /^list_(\w+|google\.protobuf\.\w+)_sort(ByAssociatedKeys)?$/.exec(overload);
  if (!sorted) return undefined;
  const isText = sorted[1] === 'string' || sorted[1] === 'bytes';
  return newList(2 + (isText ? STRING_TRAVERSAL : 0), times(size, size));
}

const newList = (factor: number, size: Range): CallCost => ({
  cost: plus(scaled(size, factor), exactly(1 + LIST_CREATION)),
  size,
});

function literalInt(operand: Operand | undefined, otherwise: number): number {
  if (operand?.expr?.kind !== 'literal' || typeof operand.expr.value !== 'bigint') return otherwise;
  return Math.max(Number(operand.expr.value), 0);
}
