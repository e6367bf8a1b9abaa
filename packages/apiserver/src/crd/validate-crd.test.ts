import { describe, expect, it } from 'vitest';
import type { Crd, CrdVersion } from './crd.ts';
import { crdStrategy, fillInCrd } from './crd-strategy.ts';
import { hubSpecOf } from './hub-spec.ts';
import { servedVersions } from './served-versions.ts';
import { crdProblems, crdUpdateProblems } from './validate-crd.ts';

const version = (more: Partial<CrdVersion> = {}): CrdVersion => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

function definition(spec: object = {}, metadata: object = {}): Crd {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.test.example', ...metadata },
    spec: {
      group: 'test.example',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [version()],
      ...spec,
    },
  } as Crd;
  fillInCrd(crd);
  crdStrategy.prepareCreate?.(crd);
  return crd;
}

const texts = (problems: readonly { field: string; message: string }[]) =>
  problems.map(({ field, message }) => `${field}: ${message}`);

describe('crdProblems', () => {
  it('finds nothing wrong with a good definition', () => {
    expect(crdProblems(definition())).toEqual([]);
  });

  it.each([
    [
      'a flat group',
      { group: 'flat' },
      [
        'metadata.name: Invalid value: "things.test.example": must be spec.names.plural+"."+spec.group',
        'spec.group: Invalid value: "flat": should be a domain with at least one dot',
      ],
    ],
    ['no scope', { scope: undefined }, ['spec.scope: Required value']],
    [
      'no version',
      { versions: [] },
      [
        'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
        'status.storedVersions: Invalid value: null: must have at least one stored version',
      ],
    ],
    [
      'no schema',
      { versions: [version({ schema: undefined })] },
      ['spec.versions[0].schema.openAPIV3Schema: Required value'],
    ],
    [
      'a shared schema',
      { versions: [version({ schema: { openAPIV3Schema: { type: 'string' } } })] },
      ['spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root'],
    ],
    [
      'a schema of one version',
      {
        versions: [version(), version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'string' } } })],
      },
      ['spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root'],
    ],
    [
      'a column without path',
      { versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'word' }] })] },
      [
        'spec.additionalPrinterColumns[0].type: Invalid value: "word": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Required value',
      ],
    ],
    [
      'an odd column',
      {
        versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'string', format: 'x', jsonPath: 'a' }] })],
      },
      [
        'spec.additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "a": must be a simple json path starting with .',
      ],
    ],
    [
      'a scale elsewhere',
      {
        versions: [
          version({
            subresources: {
              scale: { specReplicasPath: '.a', statusReplicasPath: '.status.b', labelSelectorPath: '.c' },
            },
          }),
        ],
      },
      [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".a": should be a json path under .spec',
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".c": should be a json path under either .spec or .status',
      ],
    ],
    [
      'an unknown field to select by',
      { versions: [version({ selectableFields: [{ jsonPath: '.spec.a' }] })] },
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.a": is an invalid path: does not refer to a valid field',
      ],
    ],
    [
      'a needless warning',
      { versions: [version({ deprecationWarning: 'x' })] },
      ['spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
    ],
    [
      'an empty warning',
      { versions: [version({ deprecated: true, deprecationWarning: '' })] },
      ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
    ],
    [
      'an unknown conversion',
      { conversion: { strategy: 'Magic' } },
      ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
    ],
    [
      'half a webhook',
      { conversion: { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v2'] } } },
      [
        'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'a webhook',
      {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] },
        },
      },
      [
        'spec.conversion.strategy: Forbidden: conversion webhooks are not supported by the embedded API server; use strategy None',
      ],
    ],
    [
      'preserveUnknownFields',
      { preserveUnknownFields: true },
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
  ])('finds %s', (_, spec, problems) => {
    expect(texts(crdProblems(definition(spec)))).toEqual(problems);
  });

  it.each([
    [
      undefined,
      [
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
      ],
    ],
    ['unapproved, a test', []],
    ['https://github.com/kubernetes/enhancements/pull/1', []],
    ['yes', [expect.stringContaining('Invalid value: "yes": protected groups must have approval annotation')]],
  ])('wants an approval for groups of Kubernetes: %s', (approval, problems) => {
    const annotations = approval === undefined ? {} : { 'api-approved.kubernetes.io': approval };
    const crd = definition({ group: 'a.k8s.io' }, { name: 'things.a.k8s.io', annotations });

    expect(texts(crdProblems(crd))).toEqual(problems);
  });
});

describe('crdUpdateProblems', () => {
  it('keeps group and plural always, kind and scope once established', () => {
    const old = definition();
    const changed = definition({
      group: 'other.example',
      scope: 'Cluster',
      names: { plural: 'others', kind: 'Other' },
    });
    const established = {
      ...old,
      status: { ...old.status, conditions: [{ type: 'Established', status: 'True' }] },
    } as Crd;

    expect(texts(crdUpdateProblems(changed, old))).toEqual([
      'spec.group: Invalid value: "other.example": field is immutable',
      'spec.names.plural: Invalid value: "others": field is immutable',
    ]);
    expect(crdUpdateProblems(changed, established).map(({ field }) => field)).toEqual([
      'spec.scope',
      'spec.names.kind',
      'spec.group',
      'spec.names.plural',
    ]);
  });

  it('does not let go of a version that objects are stored in', () => {
    const crd = { ...definition({ versions: [version({ name: 'v2' })] }), status: { storedVersions: ['v1', 'v2'] } };

    expect(texts(crdUpdateProblems(crd, definition()))).toEqual([
      expect.stringContaining('status.storedVersions[0]: Invalid value: "v1": missing from spec.versions'),
    ]);
  });
});

describe('hubSpecOf', () => {
  it('says once what all versions have in common', () => {
    const columns = [{ name: 'A', type: 'string', jsonPath: '.a' }];
    const crd = definition({
      versions: [
        version({ additionalPrinterColumns: columns }),
        version({ name: 'v2', storage: false, additionalPrinterColumns: columns, subresources: { status: {} } }),
      ],
    });

    const { shared, versions } = hubSpecOf(crd);

    expect(shared).toEqual({
      schema: version().schema,
      additionalPrinterColumns: columns,
      selectableFields: undefined,
    });
    expect(versions.map(({ schema, subresources }) => [schema, subresources])).toEqual([
      [undefined, undefined],
      [undefined, { status: {} }],
    ]);
  });
});

describe('servedVersions', () => {
  it('are those that are served, each knowing what is stored', () => {
    const crd = definition({
      versions: [
        version(),
        version({ name: 'v2', storage: false, deprecated: true }),
        version({ name: 'v3', served: false, storage: false }),
      ],
    });
    crd.status = { ...crd.status, acceptedNames: crd.spec.names };

    const served = servedVersions(crd);

    expect(
      served.map(({ version, storageApiVersion, deprecationWarning }) => [
        version,
        storageApiVersion,
        deprecationWarning,
      ]),
    ).toEqual([
      ['v1', 'test.example/v1', undefined],
      ['v2', 'test.example/v1', 'test.example/v2 Thing is deprecated'],
    ]);
    expect(served.map(({ storageSchema }) => storageSchema !== undefined)).toEqual([false, true]);
  });
});
