import { type FieldNode, type FieldSet, OWNED_LEAF } from './field-set.ts';
import { fieldName, type PathElement } from './path-element.ts';
import { fieldType, isDeducedMap, type ListType, type MapType, type ValueType } from './value-type.ts';

/**
 * The set with every named field that holds something of the set. Ownership does not list those, yet such a field may go
 * when all that it holds goes.
 */
export function withNamedFields(set: FieldSet, type: ValueType | undefined): FieldSet {
  const map = mapFacet(type);
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    if (node.below.size === 0) {
      result.set(element, node);
      continue;
    }
    const name = fieldName(element);
    const isNamed = name !== undefined && (map?.fields.has(name) ?? false);
    const below = withNamedFields(node.below, typeBelow(type, element));
    result.set(element, { owned: node.owned || isNamed, below });
  }
  return result;
}

/**
 * The set as the schema of today would have it: where something was owned bit by bit and is atomic now, it is owned as a
 * whole. Returns the same set when nothing changes.
 */
export function reconcileWithType(set: FieldSet, type: ValueType): FieldSet {
  const map = mapFacet(type);
  if (map !== undefined && isDeducedMap(map)) return set;
  let result: Map<PathElement, FieldNode> | undefined;
  for (const [element, node] of set) {
    // In an object, steps that lead to no field are left over from a list; all else in it tells their type.
    const below = typeBelow(type, element) ?? map?.others;
    const reconciled = below === undefined ? node : reconcileNode(node, below);
    if (reconciled === node) continue;
    result ??= new Map(set);
    result.set(element, reconciled);
  }
  return result ?? set;
}

function reconcileNode(node: FieldNode, type: ValueType): FieldNode {
  if (node.below.size === 0) return node;
  if (isAtomic(type)) return OWNED_LEAF;
  const below = reconcileWithType(node.below, type);
  return below === node.below ? node : { owned: node.owned, below };
}

function isAtomic(type: ValueType): boolean {
  if (type.kind === 'scalar') return false;
  if (type.kind === 'list') return type.relation === 'atomic';
  const map = type.kind === 'any' ? type.map : type;
  return map.atomic && !isDeducedMap(map);
}

function typeBelow(type: ValueType | undefined, element: PathElement): ValueType | undefined {
  const name = fieldName(element);
  if (name === undefined) return listFacet(type)?.items;
  const map = mapFacet(type);
  return map === undefined ? undefined : fieldType(map, name);
}

function mapFacet(type: ValueType | undefined): MapType | undefined {
  if (type?.kind === 'any') return type.map;
  return type?.kind === 'map' ? type : undefined;
}

function listFacet(type: ValueType | undefined): ListType | undefined {
  if (type?.kind === 'any') return type.list;
  return type?.kind === 'list' ? type : undefined;
}
