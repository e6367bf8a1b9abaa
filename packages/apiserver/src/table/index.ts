export { metadataListOf, metadataOf } from './partial-object-metadata.ts';
export { tableOf, type TableOptions } from './table.ts';
