import { type JsonSchema, OBJECT_FORMATS } from '@klutch/cel';
import { schemasBelow } from './raw-schema.ts';

/** The formats of strings, anywhere in a schema, that the server does not know and therefore does not check. */
export function unknownFormats(schema: JsonSchema): string[] {
  const { type, format = '' } = schema;
  const isUnknown = type === 'string' && format !== '' && !OBJECT_FORMATS.isKept(format);
  return [...(isUnknown ? [format] : []), ...schemasBelow(schema).flatMap(unknownFormats)];
}
