export { builtInResources } from './built-in-resources.ts';
export { type PublishedSchema, publishedType, referenceOf } from './published/published-types.ts';
