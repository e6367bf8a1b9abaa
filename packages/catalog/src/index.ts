export type * from './model/catalogue.ts';
export type { Expression, Rule, Time } from './rules/rule.ts';
