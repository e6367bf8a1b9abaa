/** A structural schema, as JSON. */
export type Schema = Readonly<Record<string, unknown>>;

export const text: Schema = { type: 'string' };

/** An object with these properties, of which `required` must be there. */
export function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

export const textMap: Schema = { type: 'object', additionalProperties: text };
