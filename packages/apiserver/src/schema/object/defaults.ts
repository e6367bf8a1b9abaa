import { isObject, type Node } from '@klutch/cel';
import type { Json, JsonObject } from '../../objects/api-object.ts';
import { setValue } from '../../patch/json-value.ts';

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
    if (!isSet) setValue(fields as JsonObject, name, structuredClone(property.default) as Json);
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
