import { array, enumeration, type Infer, type InferFields, required, string } from '../schema/schema.ts';

/** The names of an API, shared by a CRD and the export made from it. */
export const crdNameFields = {
  kind: required(string('Kind of the objects, such as `Widget`.')),
  plural: required(string('Plural used in URLs, such as `widgets`.')),
  singular: string('Singular alias; the lower-case kind when absent.'),
  listKind: string('Kind of lists; `<kind>List` when absent.'),
  shortNames: array('Short aliases for the command line.', string('A short name.'), { merge: 'atomic' }),
  categories: array('Groups of kinds that `kubectl get` lists together.', string('A category.'), { merge: 'atomic' }),
};

/** Whether objects of an API live in namespaces. */
export const crdScope = enumeration('Whether objects live in namespaces.', ['Cluster', 'Namespaced']);

export type CrdNames = InferFields<typeof crdNameFields>;
export type Scope = Infer<typeof crdScope>;
