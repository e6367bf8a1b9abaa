import { others } from './others.ts';
import { outlived } from './outlived.ts';
import { own } from './own.ts';
import { postgresqlCreate } from './postgresql-create.ts';
import { postgresqlUpdate } from './postgresql-update.ts';
import type { Row } from './row.ts';

/** The acceptance matrix of catalog.md §13, and below it what is ours. */
export const matrix: readonly Row[] = [...postgresqlCreate, ...postgresqlUpdate, ...others];
export const ownRows: readonly Row[] = own;
export const outlivedRows: readonly Row[] = outlived;
export { oldPlan, oldVersion } from './outlived.ts';
export type { Row, Spec } from './row.ts';
