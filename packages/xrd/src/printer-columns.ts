import type { PrinterColumn } from './definition.ts';

const synced = { name: 'SYNCED', type: 'string', jsonPath: ".status.conditions[?(@.type=='Synced')].status" };
const ready = { name: 'READY', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" };
const age = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Columns of every claim, after those of the definition. */
export const claimColumns: readonly PrinterColumn[] = [
  synced,
  ready,
  { name: 'CONNECTION-SECRET', type: 'string', jsonPath: '.spec.writeConnectionSecretToRef.name' },
  age,
];

/** Columns of every composite, after those of the definition. */
export const compositeColumns: readonly PrinterColumn[] = [
  synced,
  ready,
  { name: 'COMPOSITION', type: 'string', jsonPath: '.spec.compositionRef.name' },
  { name: 'COMPOSITIONREVISION', type: 'string', jsonPath: '.spec.compositionRevisionRef.name', priority: 1 },
  age,
];
