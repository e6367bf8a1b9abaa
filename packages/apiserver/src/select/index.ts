export { everyField, type FieldSelector, fieldSelector } from './field-selector.ts';
export { type FieldTerm, parseFieldTerms } from './field-terms.ts';
export {
  everything,
  labelSelectorFrom,
  nothing,
  type LabelSelector,
  type LabelSelectorObject,
} from './label-selector.ts';
export { parseLabelSelector } from './parse-label-selector.ts';
export type { Labels, Operator, Requirement } from './requirement.ts';
export { fieldAtPath, type SelectableType } from './selectable-fields.ts';
