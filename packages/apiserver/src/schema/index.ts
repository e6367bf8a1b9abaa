export { checkCrdSchema, type CrdSchemaContext } from './check-crd-schema.ts';
export { unknownFormats } from './crd/unknown-formats.ts';
export { compileSchema } from './compile-schema.ts';
export type { CompiledSchema } from './types.ts';
export type { JsonSchema, ValidationRule } from '@klutch/cel';
