import { goJson, goNumber } from '@klutch/cel';
import type { ApiObject } from '../objects/api-object.ts';
import type { PrinterColumn } from '../registry/served-resource.ts';
import { ageSince } from './duration.ts';
import { readJsonPath } from './json-path.ts';

export type Cell = string | number | boolean | null;

/** What a column shows of an object; null when there is nothing of the column's type. */
export function cellOf(column: PrinterColumn, object: ApiObject, now: Date): Cell {
  if (column.value) return column.value(object, now);
  const [content] = readJsonPath(object, column.jsonPath ?? '');
  if (content === undefined) return null;
  if (column.type === 'string') return textOf(content);
  if (content === null) return null;
  switch (column.type) {
    case 'integer':
      return typeof content === 'number' ? Math.trunc(content) : null;
    case 'number':
      return typeof content === 'number' ? content : null;
    case 'boolean':
      return typeof content === 'boolean' ? content : null;
    case 'date':
      return typeof content === 'string' ? dateOf(content, now) : null;
    default:
      return null;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (typeof content === 'number') return goNumber(content);
  if (content === null) return '<no value>';
  return typeof content === 'object' ? goJson(content) : `${content === true}`;
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

function dateOf(content: string, now: Date): string {
  if (content === '' || content === 'null') return ageSince(undefined, now);
  if (!RFC3339.test(content) || Number.isNaN(Date.parse(content))) return '<invalid>';
  return ageSince(content, now);
}
