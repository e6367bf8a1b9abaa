import { crds, definition, type DefinitionOptions, specOf } from '../definition.ts';
import { type Causes, expectRefusal, invalid, invalidValue, nameRules, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const group = 'refused.conf.example';
const string = { type: 'string' };
/** Everything that is wrong with the definition. */
const causes = (found: Causes) =>
  invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, `wrongs.${group}`, found);

/** Definitions that are wrong outside their schema: what is sent instead of the good ones. */
const version = (more: object = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});
const good = (more: Partial<DefinitionOptions> = {}) =>
  definition({ group, kind: 'Wrong', versions: [version()], ...more });
const others: readonly (readonly [title: string, sent: object, refusal: Refusal])[] = [
  [
    'a name that is not plural.group',
    { ...good(), metadata: { name: 'wrong' } },
    invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, 'wrong', [
      ['metadata.name', 'FieldValueInvalid', 'Invalid value: "wrong": must be spec.names.plural+"."+spec.group'],
    ]),
  ],
  [
    'a group without a dot',
    { ...good({ group: 'flat' }) },
    invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, 'wrongs.flat', [
      ['spec.group', 'FieldValueInvalid', 'Invalid value: "flat": should be a domain with at least one dot'],
    ]),
  ],
  [
    'a group in capital letters',
    { ...good({ group: 'Upper.example' }) },
    invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, 'wrongs.Upper.example', [
      ['metadata.name', 'FieldValueInvalid', invalidValue('wrongs.Upper.example', nameRules.subdomain)],
      ['spec.group', 'FieldValueInvalid', invalidValue('Upper.example', nameRules.subdomain)],
    ]),
  ],
  [
    'a protected group',
    { ...good({ group: 'conf.k8s.io' }) },
    invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, 'wrongs.conf.k8s.io', [
      [
        'metadata.annotations[api-approved.kubernetes.io]',
        'FieldValueRequired',
        'Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ]),
  ],
  [
    'a plural in capital letters',
    { ...good({ names: { plural: 'Wrongs' } }), metadata: { name: `Wrongs.${group}` } },
    invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, 'Wrongs.refused.conf.example', [
      ['metadata.name', 'FieldValueInvalid', invalidValue('Wrongs.refused.conf.example', nameRules.subdomain)],
      ['spec.names.plural', 'FieldValueInvalid', invalidValue('Wrongs', nameRules.dns1035)],
    ]),
  ],
  [
    'a kind of bad letters',
    good({ names: { kind: 'Wr ong' } }),
    causes([
      ['spec.names.singular', 'FieldValueInvalid', invalidValue('wr ong', nameRules.dns1035)],
      [
        'spec.names.kind',
        'FieldValueInvalid',
        invalidValue('Wr ong', `may have mixed case, but should otherwise match: ${nameRules.dns1035}`),
      ],
      [
        'spec.names.listKind',
        'FieldValueInvalid',
        invalidValue('Wr ongList', `may have mixed case, but should otherwise match: ${nameRules.dns1035}`),
      ],
    ]),
  ],
  [
    'a list kind that is the kind',
    good({ names: { listKind: 'Wrong' } }),
    causes([
      ['spec.names.listKind', 'FieldValueInvalid', 'Invalid value: "Wrong": kind and listKind may not be the same'],
    ]),
  ],
  [
    'an unknown scope',
    good({ spec: { scope: 'Everywhere' } }),
    causes([
      [
        'spec.scope',
        'FieldValueNotSupported',
        'Unsupported value: "Everywhere": supported values: "Cluster", "Namespaced"',
      ],
    ]),
  ],
  ['no scope', good({ spec: { scope: undefined } }), causes([['spec.scope', 'FieldValueRequired', 'Required value']])],
  [
    'no version',
    good({ versions: [] }),
    causes([
      [
        'spec.versions',
        'FieldValueInvalid',
        'Invalid value: []: must have exactly one version marked as storage version',
      ],
      ['status.storedVersions', 'FieldValueInvalid', 'Invalid value: null: must have at least one stored version'],
    ]),
  ],
  [
    'two versions of one name',
    good({ versions: [version(), version({ storage: false })] }),
    causes([
      [
        'spec.versions',
        'FieldValueInvalid',
        'Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
      ],
    ]),
  ],
  [
    'no version to store',
    good({ versions: [version({ storage: false })] }),
    causes([
      [
        'spec.versions',
        'FieldValueInvalid',
        'Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
      ],
      ['status.storedVersions', 'FieldValueInvalid', 'Invalid value: null: must have at least one stored version'],
    ]),
  ],
  [
    'two versions to store',
    good({ versions: [version(), version({ name: 'v2' })] }),
    causes([
      [
        'spec.versions',
        'FieldValueInvalid',
        'Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v2","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
      ],
      ['status.storedVersions', 'FieldValueInvalid', 'Invalid value: ["v1"]: must have the storage version v2'],
    ]),
  ],
  [
    'a version of bad letters',
    good({ versions: [version({ name: 'V 1' })] }),
    causes([
      ['spec.versions[0].name', 'FieldValueInvalid', invalidValue('V 1', nameRules.dns1035)],
      ['spec.version', 'FieldValueInvalid', invalidValue('V 1', nameRules.dns1035)],
    ]),
  ],
  [
    'an unknown conversion',
    good({ spec: { conversion: { strategy: 'Magic' } } }),
    causes([
      [
        'spec.conversion.strategy',
        'FieldValueNotSupported',
        'Unsupported value: "Magic": supported values: "None", "Webhook"',
      ],
    ]),
  ],
  [
    'a webhook without its address',
    good({ spec: { conversion: { strategy: 'Webhook' } } }),
    causes([
      [
        'spec.conversion.webhookClientConfig',
        'FieldValueRequired',
        'Required value: required when strategy is set to Webhook',
      ],
      ['spec.conversion.conversionReviewVersions', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'preserveUnknownFields',
    good({ spec: { preserveUnknownFields: true } }),
    causes([
      [
        'spec.preserveUnknownFields',
        'FieldValueInvalid',
        'Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ]),
  ],
  [
    'a column with a bad path',
    good({ versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'spec' }] })] }),
    causes([
      [
        'spec.additionalPrinterColumns[0].JSONPath',
        'FieldValueInvalid',
        'Invalid value: "spec": must be a simple json path starting with .',
      ],
    ]),
  ],
  [
    'a column of an unknown type',
    good({ versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'word', jsonPath: '.a' }] })] }),
    causes([
      [
        'spec.additionalPrinterColumns[0].type',
        'FieldValueInvalid',
        'Invalid value: "word": must be one of boolean,date,integer,number,string',
      ],
    ]),
  ],
  [
    'a column without name and path',
    good({ versions: [version({ additionalPrinterColumns: [{ type: 'string' }] })] }),
    causes([
      ['spec.additionalPrinterColumns[0].name', 'FieldValueRequired', 'Required value'],
      ['spec.additionalPrinterColumns[0].JSONPath', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'a scale without paths',
    good({ versions: [version({ subresources: { scale: {} } })] }),
    causes([
      ['spec.subresources.scale.specReplicasPath', 'FieldValueRequired', 'Required value'],
      ['spec.subresources.scale.statusReplicasPath', 'FieldValueRequired', 'Required value'],
    ]),
  ],
  [
    'a scale with a path outside of spec',
    good({ versions: [version({ subresources: { scale: { specReplicasPath: '.a', statusReplicasPath: '.b' } } })] }),
    causes([
      [
        'spec.subresources.scale.specReplicasPath',
        'FieldValueInvalid',
        'Invalid value: ".a": should be a json path under .spec',
      ],
      [
        'spec.subresources.scale.statusReplicasPath',
        'FieldValueInvalid',
        'Invalid value: ".b": should be a json path under .status',
      ],
    ]),
  ],
  [
    'a selectable field that is not in the schema',
    good({ versions: [version({ selectableFields: [{ jsonPath: '.spec.a' }] })] }),
    causes([
      [
        'spec.selectableFields[0].jsonPath',
        'FieldValueInvalid',
        'Invalid value: ".spec.a": is an invalid path: does not refer to a valid field',
      ],
    ]),
  ],
  [
    'a selectable field that is no scalar',
    good({
      versions: [
        version({
          schema: { openAPIV3Schema: specOf({ a: { type: 'object' } }) },
          selectableFields: [{ jsonPath: '.spec.a' }],
        }),
      ],
    }),
    causes([
      [
        'spec.selectableFields[0].jsonPath',
        'FieldValueInvalid',
        'Invalid value: ".spec.a": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ],
    ]),
  ],
  [
    'a selectable field twice',
    good({
      versions: [
        version({
          schema: { openAPIV3Schema: specOf({ a: string }) },
          selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }],
        }),
      ],
    }),
    causes([['spec.selectableFields[1].jsonPath', 'FieldValueDuplicate', 'Duplicate value: ".spec.a"']]),
  ],
  [
    'a deprecation warning without deprecation',
    good({ versions: [version({ deprecationWarning: 'x' })] }),
    causes([
      [
        'spec.versions[0].deprecationWarning',
        'FieldValueInvalid',
        'Invalid value: "x": can only be set for deprecated versions',
      ],
    ]),
  ],
];

conformance('refused definitions: names, versions, columns', ({ check }) => {
  for (const [title, sent, expected] of others) {
    check(`have ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(`${crds()}?dryRun=All`, sent), expected);
    });
  }
});
