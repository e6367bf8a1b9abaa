import { array, boolean, enumeration, type InferFields, object, record, required, string } from '../schema/schema.ts';
import { groupResourceFields } from './group-resource.ts';

const exclusiveOwnership = {
  rule: '!has(self.autoDonate) || !has(self.autoAdopt) || !self.autoDonate || !self.autoAdopt',
  message: 'donate and adopt are mutually exclusive',
};

/** Far more than any service needs, and few enough for every controller that goes through them. */
const maxClaims = 100;

const keyPatterns = (description: string) =>
  array(description, object('A pattern.', { pattern: string('Key, with `*` as wildcard.') }));

const jsonPaths = (description: string) => array(description, string('A JSON path.'));

const selector = object(
  'Which objects are meant.',
  {
    names: array('Exact names, or `*` for all.', string('A name.'), { default: ['*'] }),
    namespaces: array('Namespaces, or `*` for all; an empty list for a cluster-scoped type.', string('A namespace.'), {
      default: ['*'],
    }),
    labelSelectors: array(
      'Labels an object must carry; one entry that matches is enough.',
      record('Labels that must all match.', string('A label value.')),
    ),
    fieldSelectors: array('Fields an object must have.', string('A field selector.')),
    owner: enumeration('The side whose objects are meant; either when absent.', ['Provider', 'Consumer']),
  },
  { default: {} },
);

const read = object(
  'Metadata the provider may see.',
  {
    labels: keyPatterns('Labels of objects the consumer owns.'),
    labelsOnProviderOwnedObjects: keyPatterns('Labels of objects the provider owns.'),
    annotations: keyPatterns('Annotations of objects the consumer owns.'),
    overrideAnnotations: keyPatterns('Annotations that replace those of the provider.'),
  },
  { default: {} },
);

const onConflict = object(
  'What to do when both sides disagree.',
  {
    recreateWhenConsumerSideDeleted: boolean('Bring objects of the provider back after the user deleted them.', {
      default: true,
    }),
  },
  { default: {} },
);

const update = object('Which parts of an object are kept in step.', {
  fields: jsonPaths('Only these fields.'),
  preserving: jsonPaths('All fields but these.'),
  alwaysRecreate: boolean('Delete and create instead of updating.'),
  labels: keyPatterns('Labels of objects the provider owns.'),
  labelsOnConsumerOwnedObjects: keyPatterns('Labels of objects the consumer owns.'),
  annotations: keyPatterns('Annotations of objects the provider owns.'),
  annotationsOnConsumerOwnedObjects: keyPatterns('Annotations of objects the consumer owns.'),
});

const permissionClaimFields = {
  ...groupResourceFields,
  version: required(string('API version in which the type is watched.', { minLength: 1, maxLength: 63 })),
  selector,
  required: boolean('Whether binding makes no sense without this claim.'),
  read,
  create: object('Lets the provider create objects in the app cluster.', {
    replaceExisting: boolean("Overwrite a user's object of the same name."),
  }),
  autoAdopt: boolean("Turn the user's objects into the provider's."),
  autoDonate: boolean("Turn the provider's objects into the user's at once."),
  onConflict,
  update,
};

/** What a provider asks for: permission to synchronise one more resource type next to the exported one. */
export const permissionClaims = array(
  'Further resource types that are synchronised.',
  object('A resource type the provider claims.', permissionClaimFields, { rules: [exclusiveOwnership] }),
  { maxItems: maxClaims },
);

const acceptablePermissionClaimFields = {
  ...permissionClaimFields,
  state: required(enumeration('What the user decided.', ['Accepted', 'Rejected'])),
};

/** What a provider asks for, with the user's answers. */
export const acceptablePermissionClaims = array(
  "The provider's claims and the user's decisions.",
  object('A resource type the provider claims, with the decision.', acceptablePermissionClaimFields, {
    rules: [exclusiveOwnership],
  }),
  { maxItems: maxClaims },
);

export type PermissionClaim = InferFields<typeof permissionClaimFields>;
export type AcceptablePermissionClaim = InferFields<typeof acceptablePermissionClaimFields>;
