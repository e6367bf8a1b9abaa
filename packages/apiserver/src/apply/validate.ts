import type { Json } from '../objects/api-object.ts';
import { goSyntax, goText, goType } from '../patch/go-text.ts';
import { isObject } from '../patch/json-value.ts';
import { listItemElement, ListItemProblem } from './list-item.ts';
import { describeElement, fieldElement, type PathElement } from './path-element.ts';
import { facetOf, fieldType, type ListType, type MapType, type ScalarType, type ValueType } from './value-type.ts';

export interface ValidateOptions {
  /** Whether sets and lists with keys may hold the same item twice. Stored objects may, applied ones may not. */
  readonly allowDuplicates: boolean;
}

/**
 * Everything that keeps a value from being treated as its type, in the words of Kubernetes: `.spec.size: expected
 * numeric (int or float), got string`. This is about the shape only, not about the rules of the schema.
 */
export function typeProblems(type: ValueType, value: Json, options: ValidateOptions): readonly string[] {
  const problems = check(type, value, options.allowDuplicates);
  return problems.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`));
}

/** Several problems as one text. */
export function joinProblems(problems: readonly string[]): string {
  return problems.length === 1 ? String(problems[0]) : ['errors:', ...problems.map((text) => `  ${text}`)].join('\n');
}

/** The path is completed on the way back: as a rule there are no problems, and no paths to build. */
interface Problem {
  readonly path: string;
  readonly text: string;
}

const NONE: readonly Problem[] = [];

function check(type: ValueType, value: Json, allowDuplicates: boolean): readonly Problem[] {
  if (value === null) return NONE;
  const facet = facetOf(type, value);
  if (facet.kind === 'scalar') return checkScalar(facet, value);
  return facet.kind === 'list' ? checkList(facet, value, allowDuplicates) : checkMap(facet, value, allowDuplicates);
}

function checkScalar({ scalar }: ScalarType, value: Json): readonly Problem[] {
  const actual = typeof value;
  if (scalar === 'string') {
    return actual === 'string'
      ? NONE
      : problem(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
  }
  if (scalar === 'numeric') {
    return actual === 'number' ? NONE : problem(`expected numeric (int or float), got ${goType(value)}`);
  }
  if (scalar === 'boolean') return actual === 'boolean' ? NONE : problem(`expected boolean, got &{${goText(value)}}`);
  return actual === 'object' ? problem(`expected any scalar, got &{${goText(value)}}`) : NONE;
}

function checkList(list: ListType, value: Json, allowDuplicates: boolean): readonly Problem[] {
  if (!Array.isArray(value)) return problem(`expected list, got &{${goText(value)}}`);
  return list.relation === 'atomic'
    ? checkAtomicItems(list, value, allowDuplicates)
    : checkItems(list, value, allowDuplicates);
}

function checkAtomicItems(list: ListType, value: readonly Json[], allowDuplicates: boolean): readonly Problem[] {
  let problems = NONE;
  for (const [index, item] of value.entries()) {
    const found = check(list.items, item, allowDuplicates);
    if (found.length > 0) problems = [...problems, ...below(`i:${index}`, found)];
  }
  return problems;
}

function checkItems(list: ListType, value: readonly Json[], allowDuplicates: boolean): readonly Problem[] {
  let problems = NONE;
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const element = elementOrProblem(list, item);
    // Without a step there is no path to tell further problems by.
    if (typeof element !== 'string') return [...problems, ...problem(`element ${index}: ${element.message}`)];
    if (!allowDuplicates && seen.has(element)) {
      problems = [...problems, ...problem(`duplicate entries for key ${describeElement(element)}`)];
    }
    seen.add(element);
    const found = check(list.items, item, allowDuplicates);
    if (found.length > 0) problems = [...problems, ...below(element, found)];
  }
  return problems;
}

function elementOrProblem(list: ListType, item: Json): PathElement | ListItemProblem {
  try {
    return listItemElement(list, item);
  } catch (error) {
    if (error instanceof ListItemProblem) return error;
    throw error;
  }
}

function checkMap(map: MapType, value: Json, allowDuplicates: boolean): readonly Problem[] {
  if (!isObject(value)) return problem(`expected map, got &{${goText(value)}}`);
  let problems = NONE;
  for (const name of Object.keys(value)) {
    const type = fieldType(map, name);
    if (type === undefined) return [...problems, ...below(fieldElement(name), problem('field not declared in schema'))];
    const found = check(type, value[name] as Json, allowDuplicates);
    if (found.length > 0) problems = [...problems, ...below(fieldElement(name), found)];
  }
  return problems;
}

function problem(text: string): readonly Problem[] {
  return [{ path: '', text }];
}

function below(element: PathElement, problems: readonly Problem[]): readonly Problem[] {
  const step = describeElement(element);
  return problems.map(({ path, text }) => ({ path: `${step}${path}`, text }));
}
