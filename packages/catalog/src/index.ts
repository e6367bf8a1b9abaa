export { defaultLayer, readLayer } from './default-layer.ts';
export type * from './model/catalogue.ts';
export type { Place, Problem, SourceFile } from './model/files/source.ts';
export { type Reading, readCatalogue } from './model/read-catalogue.ts';
export type { Expression, Rule, Time } from './rules/rule.ts';
export { type Composition, compositionsOf } from './render/compositions.ts';
export { definitionOf } from './render/definitions.ts';
