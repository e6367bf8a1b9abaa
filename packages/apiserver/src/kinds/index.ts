export { builtInResources } from './built-in-resources.ts';
export { UnreadableObject } from './types/built-in-schema.ts';
