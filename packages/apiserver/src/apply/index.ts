export { applyPatch } from './apply-patch.ts';
export { builtInResetFields } from './built-in-reset-fields.ts';
export { customResourceResetFields, type OwnershipScope } from './scope.ts';
export { trackScale } from './track-scale.ts';
export { trackUpdate } from './track-update.ts';
export { compileType, type ValueType } from './value-type.ts';
