import {
  asSchema,
  isRecord,
  itemsOf,
  kindOf,
  listOf,
  numberOf,
  otherFieldsOf,
  propertiesOf,
  requiredOf,
  type Schema,
  textOf,
} from './compare/structural-schema.ts';

/**
 * Whether an API server with this schema accepts and keeps a condition of the konnector in `status.conditions`, besides
 * whatever else is there. A schema that is hard to judge counts as one that does not.
 */
export function keepsConditions(root: Schema | undefined): boolean {
  const status = fieldOf(asSchema(root), 'status');
  if (status === undefined || isIntricate(status)) return false;
  const conditions = fieldOf(status, 'conditions');
  if (conditions === undefined || isIntricate(conditions)) return false;
  if (kindOf(conditions) === 'any') return otherFieldsOf(conditions) !== undefined;
  if (kindOf(conditions) !== 'array' || !isOpenList(conditions)) return false;
  return acceptsCondition(itemsOf(conditions) ?? {});
}

/** A condition as long as they get; it stands for all that the konnector writes. */
const sample: Readonly<Record<string, string>> = {
  type: 'KlutchSynced',
  status: 'False',
  reason: 'WaitingForControlPlane',
  message: 'x'.repeat(1024),
  lastTransitionTime: '2026-01-31T12:00:00Z',
};

function acceptsCondition(item: Schema): boolean {
  if (kindOf(item) === 'any') return otherFieldsOf(item) !== undefined;
  if (kindOf(item) !== 'object' || isIntricate(item) || item['maxProperties'] !== undefined) return false;
  if ([...requiredOf(item)].some((name) => !Object.hasOwn(sample, name))) return false;
  return Object.entries(sample).every(([name, value]) => {
    const field = fieldOf(item, name);
    return field !== undefined && acceptsText(field, value);
  });
}

function acceptsText(field: Schema, value: string): boolean {
  if (isIntricate(field)) return false;
  if (kindOf(field) !== 'string' && kindOf(field) !== 'any') return false;
  const choices = listOf(field, 'enum');
  if (choices.length > 0 && !choices.includes(value)) return false;
  if (value.length > (numberOf(field, 'maxLength') ?? Number.POSITIVE_INFINITY)) return false;
  if (!['', 'date-time'].includes(textOf(field, 'format'))) return false;
  return matches(textOf(field, 'pattern'), value);
}

function matches(pattern: string, value: string): boolean {
  if (pattern === '') return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    // A pattern in the dialect of Go that this runtime does not know.
    return false;
  }
}

/** Takes one more entry, whatever is in it already. */
function isOpenList(list: Schema): boolean {
  if (list['maxItems'] !== undefined || textOf(list, 'x-kubernetes-list-type') === 'set') return false;
  return listOf(list, 'x-kubernetes-list-map-keys').every((key) => key === 'type');
}

/** Has rules beyond those on single fields. */
function isIntricate(schema: Schema): boolean {
  const keywords = ['x-kubernetes-validations', 'allOf', 'anyOf', 'oneOf'];
  return keywords.some((keyword) => listOf(schema, keyword).length > 0) || isRecord(schema['not']);
}

function fieldOf(schema: Schema, name: string): Schema | undefined {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : otherFieldsOf(schema);
}
