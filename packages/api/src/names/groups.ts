/** API group of the kinds that bind clusters. */
export const group = 'klutch.anynines.com';
/** API group of the catalogue entries of the open-source backend. */
export const templateGroup = 'example-backend.klutch.anynines.com';
/** API group of the catalogue entries in the anynines distribution. */
export const anyninesTemplateGroup = 'bind.anynines.com';
/** `apiVersion` of the kinds and payloads that bind clusters. */
export const apiVersion = `${group}/v1alpha1`;
