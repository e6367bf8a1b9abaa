export { applyJsonPatch, unknownFieldsOfJsonPatch } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export { objectMetaSchema } from './object-meta-schema.ts';
export { applyStrategicMergePatch } from './strategic-merge-patch.ts';
