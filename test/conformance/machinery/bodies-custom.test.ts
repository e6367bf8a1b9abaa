import { expect } from 'vitest';
import { install } from '../definition.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalid, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-bodies-custom';
const group = 'bodies.conf.example';
const notes = inNamespace(`${group}/v1/notes`, namespace);
const named = { metadata: { name: 'x' } };

/** Bodies of a create, and why they are refused. */
const refusals: readonly (readonly [title: string, body: unknown, refusal: Refusal])[] = [
  [
    'an empty body',
    '',
    badRequest(
      "the object provided is unrecognized (must be of type Note): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ),
  ],
  [
    'broken JSON',
    '{"metadata":',
    badRequest(
      'the object provided is unrecognized (must be of type Note): couldn\'t get version/kind; json parse error: unexpected end of JSON input ({"metadata":)',
    ),
  ],
  [
    'null',
    'null',
    badRequest(
      "the object provided is unrecognized (must be of type Note): Object 'Kind' is missing in 'null' (6e756c6c)",
    ),
  ],
  [
    'a list',
    '[]',
    badRequest(
      'the object provided is unrecognized (must be of type Note): couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)',
    ),
  ],
  [
    'no kind',
    { apiVersion: `${group}/v1`, ...named },
    badRequest(
      'the object provided is unrecognized (must be of type Note): Object \'Kind\' is missing in \'{"apiVersion":"bodies.conf.example/v1","metadata":{"name":"x"}}\' ({"apiVersion":"bodies.conf.exa ...)',
    ),
  ],
  [
    'no API version',
    { kind: 'Note', ...named },
    badRequest('the API version in the data () does not match the expected API version (bodies.conf.example/v1)'),
  ],
  [
    'another kind',
    { apiVersion: `${group}/v1`, kind: 'Other', ...named },
    invalid({ group, kind: 'Other' }, 'x', [['kind', 'FieldValueInvalid', 'Invalid value: "Other": must be Note']]),
  ],
  [
    'another version',
    { apiVersion: `${group}/v2`, kind: 'Note', ...named },
    badRequest(
      'the API version in the data (bodies.conf.example/v2) does not match the expected API version (bodies.conf.example/v1)',
    ),
  ],
  [
    'another group',
    { apiVersion: 'example.org/v1', kind: 'Note', ...named },
    badRequest(
      'the API version in the data (example.org/v1) does not match the expected API version (bodies.conf.example/v1)',
    ),
  ],
  [
    'metadata that is no map',
    { apiVersion: `${group}/v1`, kind: 'Note', metadata: 'x' },
    badRequest(
      'Note in version "v1" cannot be handled as a Note: json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ),
  ],
  [
    'labels of the wrong type',
    { apiVersion: `${group}/v1`, kind: 'Note', metadata: { name: 'x', labels: { a: 1 } } },
    badRequest(
      'Note in version "v1" cannot be handled as a Note: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ),
  ],
];

conformance('bodies of a custom kind', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    await install(admin, { group, kind: 'Note' });
  });

  for (const [title, body, expected] of refusals) {
    check(`refuses ${title}`, async ({ admin }) => {
      expectRefusal(await admin.post(notes(), body), expected);
    });
  }

  check('refuses a custom object that the storage cannot hold', async ({ admin }) => {
    const note = {
      apiVersion: `${group}/v1`,
      kind: 'Note',
      metadata: { name: 'big' },
      spec: { a: 'x'.repeat(2_000_000) },
    };
    const { status, body } = await admin.post(notes(), note);

    expect([status, body.message]).toEqual([500, 'etcdserver: request is too large']);
  });

  check('refuses JSON that is nested without end', async ({ admin }) => {
    const { status, body } = await admin.post(
      notes(),
      `{"apiVersion":"${group}/v1","kind":"Note","metadata":{"name":"deep"},"spec":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
    );

    expect([status, body.message]).toEqual([
      400,
      'the object provided is unrecognized (must be of type Note): couldn\'t get version/kind; json parse error: invalid character \'[\' exceeded max depth ({"apiVersion":"bodies.conf.exa ...)',
    ]);
  });
});
