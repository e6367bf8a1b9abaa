import type { ApiObject } from '../objects/api-object.ts';
import type { Entry } from '../storage/types.ts';

/** What field selectors need to know of a resource type. */
export interface SelectableType {
  readonly namespaced: boolean;
  /** Custom resources and built-in types differ in what they refuse, and in what they say then. */
  readonly builtIn: boolean;
  /** Fields besides `metadata.name` and `metadata.namespace`, and how to read them. */
  readonly selectableFields: Readonly<Record<string, (object: ApiObject) => string>>;
}

/** How to read a field of stored objects of a type; undefined when the type cannot be selected by it. */
export function fieldReader(field: string, type: SelectableType): ((entry: Entry) => string) | undefined {
  if (field === 'metadata.name') return ({ key }) => key.slice(key.indexOf('/') + 1);
  if (field === 'metadata.namespace' && knowsNamespace(type)) return ({ key }) => key.slice(0, key.indexOf('/'));
  if (!Object.hasOwn(type.selectableFields, field)) return undefined;
  const read = type.selectableFields[field];
  return read && remembering(read);
}

/**
 * Reads the field at a path such as `.spec.size`, as CustomResourceDefinitions declare them: text as it is, numbers and
 * booleans as text, anything absent as empty.
 */
export function fieldAtPath(jsonPath: string): (object: ApiObject) => string {
  const names = jsonPath.split('.').filter((name) => name !== '');
  return (object) => {
    const value = names.reduce<unknown>((parent, name) => childOf(parent, name), object);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  };
}

/** Types without fields of their own take the namespace even when they have none. */
function knowsNamespace({ namespaced, builtIn, selectableFields }: SelectableType): boolean {
  return namespaced || (builtIn && Object.keys(selectableFields).length === 0);
}

function childOf(parent: unknown, name: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) return undefined;
  return (parent as Record<string, unknown>)[name];
}

const known = new WeakMap<(object: ApiObject) => string, WeakMap<Entry, string>>();

/** Reading a field means parsing the object, and every watch with the same selector asks for it. */
function remembering(read: (object: ApiObject) => string): (entry: Entry) => string {
  const values = known.get(read) ?? new WeakMap<Entry, string>();
  known.set(read, values);
  return (entry) => {
    const remembered = values.get(entry);
    if (remembered !== undefined) return remembered;
    const value = read(entry.object());
    values.set(entry, value);
    return value;
  };
}
