export { doubtfulSchema, type SchemaCase, schemaCase } from './case-arbitrary.ts';
export { fieldSchema, kindSchema } from './schema-arbitrary.ts';
export { anyValue, fittingValue, sentValue } from './value-arbitrary.ts';
