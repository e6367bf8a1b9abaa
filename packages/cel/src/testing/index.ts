export { type Content, doubtfulSchema, fieldCase, kindCase, type SchemaCase, type Trial } from './case-arbitrary.ts';
export { fieldSchema, kindSchema } from './schema-arbitrary.ts';
export { anyValue, fittingValue, sentValue, storedValue } from './value-arbitrary.ts';
