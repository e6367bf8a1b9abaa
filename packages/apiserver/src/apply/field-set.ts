import { fieldElement, type PathElement, sortPathElements } from './path-element.ts';

/**
 * A set of paths to fields, as a tree of their steps. Immutable; operations share what does not change. A node is there
 * only when it is owned or something below it is, so a set is empty exactly when it has no nodes.
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>;

export interface FieldNode {
  /** Whether the path that ends here is in the set. */
  readonly owned: boolean;
  readonly below: FieldSet;
}

export const NO_FIELDS: FieldSet = new Map();

/** A path that is in the set, with nothing below it. */
export const OWNED_LEAF: FieldNode = { owned: true, below: NO_FIELDS };

/** The set of fields at dotted paths, for example `fieldSet('spec', 'metadata.labels')`. */
export function fieldSet(...paths: readonly string[]): FieldSet {
  return paths.map((path) => setOfOne(path.split('.').map(fieldElement))).reduce(union, NO_FIELDS);
}

/** The set with one path. */
export function setOfOne(path: readonly PathElement[]): FieldSet {
  const [first, ...rest] = path;
  if (first === undefined) return NO_FIELDS;
  return new Map([[first, rest.length === 0 ? OWNED_LEAF : { owned: false, below: setOfOne(rest) }]]);
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (right.size === 0 || left === right) return left;
  if (left.size === 0) return right;
  const result = new Map(left);
  for (const [element, node] of right) {
    const other = result.get(element);
    result.set(element, other === undefined ? node : unionOfNodes(other, node));
  }
  return result;
}

/** Two nodes at the same place as one. */
export function unionOfNodes(left: FieldNode, right: FieldNode): FieldNode {
  const below = union(left.below, right.below);
  const owned = left.owned || right.owned;
  return below === left.below && owned === left.owned ? left : { owned, below };
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (left.size === 0 || right.size === 0) return NO_FIELDS;
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of left) {
    const other = right.get(element);
    if (other === undefined) continue;
    const common = nodeOf(node, node.owned && other.owned, intersection(node.below, other.below));
    if (common !== undefined) result.set(element, common);
  }
  return result;
}

/** Paths of the first set that are not in the second. Fields below a removed path stay. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, (node, other) => {
    return nodeOf(node, node.owned && !other.owned, difference(node.below, other.below));
  });
}

/** Like {@link difference}, but everything below a removed path goes too. */
export function differenceWithBelow(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, (node, other) => {
    return other.owned ? undefined : nodeOf(node, node.owned, differenceWithBelow(node.below, other.below));
  });
}

export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let below: FieldSet = set;
  let node: FieldNode | undefined;
  for (const element of path) {
    node = below.get(element);
    if (node === undefined) return false;
    below = node.below;
  }
  return node?.owned ?? false;
}

/** All paths, in the order in which Kubernetes lists them: those that end at a level before those that go deeper. */
export function listPaths(set: FieldSet, prefix: readonly PathElement[] = []): PathElement[][] {
  const elements = sortPathElements([...set.keys()]);
  const here = elements.filter((element) => set.get(element)?.owned).map((element) => [...prefix, element]);
  const deeper = elements.flatMap((element) => listPaths(set.get(element)?.below ?? NO_FIELDS, [...prefix, element]));
  return [...here, ...deeper];
}

type SubtractNode = (node: FieldNode, other: FieldNode) => FieldNode | undefined;

function subtract(left: FieldSet, right: FieldSet, subtractNode: SubtractNode): FieldSet {
  if (left.size === 0 || right.size === 0) return left;
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of left) {
    const other = right.get(element);
    if (other === undefined) continue;
    const rest = subtractNode(node, other);
    if (rest === node) continue;
    result ??= new Map(left);
    if (rest === undefined) result.delete(element);
    else result.set(element, rest);
  }
  return result ?? left;
}

/** The node as it is now; undefined when nothing of it is left, the same one when nothing has changed. */
function nodeOf(node: FieldNode, owned: boolean, below: FieldSet): FieldNode | undefined {
  if (owned === node.owned && below === node.below) return node;
  return owned || below.size > 0 ? { owned, below } : undefined;
}
