import { type Place, type Problem, problemAt } from '../files/source.ts';
import { type Entry, isNull, jsonOf, type ListTree, type MapTree, type Tree, type ValueTree } from '../files/tree.ts';
import { allowedWords, suggestion } from '../suggestion.ts';
import { definitions } from './files.ts';
import type { Shape } from './shape.ts';

/** Everything in a tree that its shape does not allow. `at` is where the key is that the tree is below. */
export function shapeProblems(shape: Shape, tree: Tree, at: Place = tree.at): Problem[] {
  if (shape.$ref !== undefined) return shapeProblems(referred(shape.$ref), tree, at);
  if (shape.anyOf !== undefined) return choiceProblems(shape.anyOf.map(resolved), tree, at);
  if (!isOfType(shape.type, tree))
    return [problemAt(tree.at, `${typeName(shape)} is expected here, not ${shown(tree)}.`)];
  if (tree.is === 'map') return mapProblems(shape, tree, at);
  return tree.is === 'list' ? listProblems(shape, tree) : valueProblems(shape, tree);
}

function mapProblems(shape: Shape, tree: MapTree, at: Place): Problem[] {
  const { properties = {}, required = [] } = shape;
  const missing = required.filter((key) => !tree.entries.has(key));
  const misspelt = new Map(
    [...tree.entries.keys()].map((key) => [key, Object.hasOwn(properties, key) ? undefined : suggestion(key, missing)]),
  );
  const absent = missing.filter((key) => ![...misspelt.values()].includes(key));
  return [
    ...absent.map((key) => problemAt(at, `"${key}" is missing; it is required.`)),
    ...[...tree.entries].flatMap(([key, entry]) => {
      const meant = misspelt.get(key);
      if (meant === undefined) return entryProblems(shape, key, entry);
      return [problemAt(entry.at, `"${key}" is not known here, and "${meant}" is missing; is it meant?`)];
    }),
  ];
}

function entryProblems({ properties = {}, additionalProperties = true }: Shape, key: string, { at, tree }: Entry) {
  const shape = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  if (isNull(tree)) return [];
  if (typeof shape === 'object') return shapeProblems(shape, tree, at);
  if (shape !== false) return [];
  return [problemAt(at, `"${key}" is not known here; ${allowedWords(key, Object.keys(properties))}`)];
}

function listProblems({ items, minItems = 0 }: Shape, tree: ListTree): Problem[] {
  if (tree.items.length < minItems) return [problemAt(tree.at, 'The list must not be empty.')];
  return items === undefined ? [] : tree.items.flatMap((item) => shapeProblems(items, item));
}

function valueProblems(shape: Shape, { value, at }: ValueTree): Problem[] {
  const text = String(value);
  if (shape.enum && !shape.enum.includes(text)) {
    return [problemAt(at, `"${text}" is not known here; ${allowedWords(text, shape.enum)}`)];
  }
  if (text.length < (shape.minLength ?? 0)) return [problemAt(at, 'The text must not be empty.')];
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(text)) {
    return [problemAt(at, `"${text}" is not allowed; it must be ${shape.title ?? `like ${shape.pattern}`}.`)];
  }
  if (shape.minimum !== undefined && Number(value) < shape.minimum) {
    return [problemAt(at, `${text} is too small; the least is ${shape.minimum}.`)];
  }
  return [];
}

/** Of several shapes the one that was probably meant: of the right type, and with all keys that it requires. */
function choiceProblems(shapes: readonly Shape[], tree: Tree, at: Place): Problem[] {
  const ofType = shapes.filter(({ type }) => isOfType(type, tree));
  if (ofType.length === 0) {
    const types = [...new Set(shapes.map(typeName))].join(' or ');
    return [problemAt(tree.at, `${types} is expected here, not ${shown(tree)}.`)];
  }
  const [only] = ofType;
  if (only && ofType.length === 1) return shapeProblems(only, tree, at);
  const meant = ofType.find(({ required = [] }) => tree.is === 'map' && required.every((key) => tree.entries.has(key)));
  if (meant) return shapeProblems(meant, tree, at);
  const forms = ofType.map(({ required = [] }) => required.map((key) => `"${key}"`).join(' with '));
  return [problemAt(tree.at, `None of the forms that are allowed here fits; they have ${forms.join(', or ')}.`)];
}

function isOfType(type: string | undefined, tree: Tree): boolean {
  if (type === undefined) return true;
  if (tree.is !== 'value') return type === (tree.is === 'map' ? 'object' : 'array');
  return type === 'integer' ? Number.isInteger(tree.value) : type === typeof tree.value;
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'A map of keys and values',
  array: 'A list',
  string: 'A text',
  boolean: 'true or false',
  number: 'A number',
  integer: 'A whole number',
};

const typeName = ({ type = '' }: Shape) => typeNames[type] ?? 'A value';

/** What stands there instead, and how to write the text it looks like. */
function shown(tree: Tree): string {
  if (tree.is !== 'value') return tree.is === 'map' ? 'a map' : 'a list';
  const value = JSON.stringify(jsonOf(tree));
  return typeof tree.value === 'string' ? `the text ${value}` : `${value} (in quotes it would be a text)`;
}

const resolved = (shape: Shape): Shape => (shape.$ref === undefined ? shape : referred(shape.$ref));

function referred(ref: string): Shape {
  return definitions[ref.slice('#/$defs/'.length)] ?? {};
}
