import { expect } from 'vitest';
import { configMap } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, type Refusal, refusal, startingWith } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-bodies';
const maps = inNamespace('v1/configmaps', namespace);
const named = { metadata: { name: 'x' } };

/** Bodies of a create, and why they are refused. */
const core: readonly (readonly [title: string, body: unknown, refusal: Refusal])[] = [
  [
    'an empty body',
    '',
    badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ),
  ],
  [
    'broken JSON',
    '{"metadata":',
    badRequest(
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":)',
    ),
  ],
  [
    'JSON with a comma too many',
    '{"metadata":{"name":"x"},}',
    badRequest(
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: invalid character \'}\' looking for beginning of object key string ({"metadata":{"name":"x"},})',
    ),
  ],
  [
    'text',
    'hello',
    badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'h' looking for beginning of value (68656c6c6f)",
    ),
  ],
  [
    'null',
    'null',
    invalid({ kind: 'ConfigMap' }, '', [
      ['metadata.name', 'FieldValueRequired', 'Required value: name or generateName is required'],
    ]),
  ],
  [
    'a list',
    '[]',
    badRequest(
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
    ),
  ],
  [
    'a number',
    '1',
    badRequest(
      'the object provided is unrecognized (must be of type ConfigMap): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (31)',
    ),
  ],
  [
    'another kind',
    { apiVersion: 'v1', kind: 'Secret', ...named },
    badRequest(
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ),
  ],
  [
    'another version',
    { apiVersion: 'v2', kind: 'ConfigMap', ...named },
    badRequest(
      startingWith(
        'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2"',
      ),
    ),
  ],
  [
    'another group',
    { apiVersion: 'example.org/v1', kind: 'ConfigMap', ...named },
    badRequest(
      startingWith(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "example.org/v1"',
      ),
    ),
  ],
  [
    'a kind that does not exist',
    { apiVersion: 'v1', kind: 'Unicorn', ...named },
    badRequest(
      startingWith(
        'Unicorn in version "v1" cannot be handled as a ConfigMap: no kind "Unicorn" is registered for version "v1"',
      ),
    ),
  ],
  [
    'an API version of three parts',
    { apiVersion: 'a/b/c', kind: 'ConfigMap', ...named },
    badRequest(
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
    ),
  ],
  [
    'data that is no map',
    { ...named, data: [] },
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
    ),
  ],
  [
    'data with a number',
    { ...named, data: { a: 1 } },
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ),
  ],
  [
    'metadata that is no map',
    { metadata: 'x' },
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ),
  ],
  [
    'a time that is none',
    { metadata: { name: 'x', creationTimestamp: 'now' } },
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ),
  ],
  [
    'a boolean that is none',
    { ...named, immutable: 'yes' },
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool',
    ),
  ],
  [
    'a list of the kind',
    { apiVersion: 'v1', kind: 'ConfigMapList', items: [] },
    badRequest(
      'ConfigMapList in version "v1" cannot be handled as a ConfigMap: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion',
    ),
  ],
];

conformance('bodies of a core kind', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  for (const [title, body, expected] of core) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(maps(), body), expected);
    });
  }

  check('refuses broken YAML', async ({ admin }) => {
    expectRefusal(
      await admin.post(maps(), 'metadata: [', { contentType: 'application/yaml' }),
      badRequest(
        'the object provided is unrecognized (must be of type ConfigMap): yaml: line 1: did not find expected node content (6d657461646174613a205b)',
      ),
    );
    expectRefusal(
      await admin.post(maps(), 'a: b: c', { contentType: 'application/yaml' }),
      badRequest(
        'the object provided is unrecognized (must be of type ConfigMap): yaml: mapping values are not allowed in this context (613a20623a2063)',
      ),
    );
  });

  check('takes a core kind without kind and API version', async ({ admin }) => {
    const { status, body } = await admin.post(maps(), { metadata: { name: 'kindless' } });

    expect([status, body.kind, body.apiVersion]).toEqual([201, 'ConfigMap', 'v1']);
  });

  const tooLarge = refusal(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728');
  check('refuses more than 3 MiB', async ({ admin }) => {
    expectRefusal(await admin.post(maps(), configMap('large', { a: 'x'.repeat(5_000_000) })), tooLarge);
    expectRefusal(await admin.put(maps('large'), configMap('large', { a: 'x'.repeat(5_000_000) })), tooLarge);
    expectRefusal(await admin.patch('merge', maps('large'), { data: { a: 'x'.repeat(5_000_000) } }), tooLarge);
  });

  check('refuses a ConfigMap of more than 1 MiB', async ({ admin }) => {
    expectRefusal(
      await admin.post(maps(), configMap('big', { a: 'x'.repeat(1_048_577) })),
      invalid({ kind: 'ConfigMap' }, 'big', [
        ['[]', 'FieldValueTooLong', 'Too long: may not be more than 1048576 bytes'],
      ]),
    );
  });
});
