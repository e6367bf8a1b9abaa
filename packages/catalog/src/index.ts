export type * from './model/catalogue.ts';
export type { Expression, Rule, Time } from './rules/rule.ts';
export { type Composition, compositionsOf } from './render/compositions.ts';
export { definitionOf } from './render/definitions.ts';
