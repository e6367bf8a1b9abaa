import { isObject, type Node } from '../schema/node.ts';

/** Fills in defaults, in place: fields that are absent, or null where null is not allowed. Parents are never made up. */
export function applyDefaults(value: unknown, node: Node | undefined): void {
  if (node === undefined || !node.anyDefault) return;
  if (Array.isArray(value)) return defaultItems(value, node.items);
  if (!isObject(value)) return;
  defaultProperties(value, node);
  for (const name in value) {
    const property = node.properties?.get(name);
    if (property) applyDefaults(value[name], property);
    else if (node.additional) defaultEntry(value, name, node.additional);
  }
}

function defaultProperties(fields: Record<string, unknown>, node: Node): void {
  if (!node.properties) return;
  for (const [name, property] of node.properties) {
    if (property.default === undefined) continue;
    const isSet = Object.hasOwn(fields, name) && (fields[name] !== null || property.nullable);
    if (isSet) continue;
    // Assigning to a field that is called __proto__ would not make one.
    const value: unknown = structuredClone(property.default);
    Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

function defaultEntry(fields: Record<string, unknown>, name: string, entry: Node): void {
  if (fields[name] === null && !entry.nullable) fields[name] = structuredClone(entry.default ?? null);
  applyDefaults(fields[name], entry);
}

function defaultItems(items: unknown[], node: Node | undefined): void {
  if (!node) return;
  for (let at = 0; at < items.length; at++) {
    if (items[at] === null && !node.nullable) items[at] = structuredClone(node.default ?? null);
    applyDefaults(items[at], node);
  }
}
