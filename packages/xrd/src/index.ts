export type {
  CompositeResourceDefinition,
  DefinedNames,
  DefinedVersion,
  DeletePolicy,
  PrinterColumn,
  UpdatePolicy,
} from './definition.ts';
export { crdsOf, type DefinedCrds } from './crds-of.ts';
