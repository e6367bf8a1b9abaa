export { ageSince, humanDuration } from './duration.ts';
export { readJsonPath } from './json-path.ts';
export {
  metadataListOf,
  metadataOf,
  type PartialObjectMetadata,
  type PartialObjectMetadataList,
} from './partial-object-metadata.ts';
export { type ColumnDefinition, type Table, tableOf, type TableOptions } from './table.ts';
