export { builtInResources } from './built-in-resources.ts';
