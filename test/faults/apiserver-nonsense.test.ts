import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { faultServer } from './fault-server.ts';

const namespace = '/api/v1/namespaces/default';

const segment = fc.constantFrom(
  'api',
  'apis',
  'v1',
  'apps',
  'namespaces',
  'default',
  'secrets',
  'status',
  'log',
  'x y',
  '..',
  '%00',
  '',
);
const path = fc.oneof(
  fc.constantFrom(`${namespace}/configmaps`, `${namespace}/configmaps/a`, `${namespace}/secrets/a/status`, namespace),
  fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
);
const parameter = fc.constantFrom(
  'watch',
  'limit',
  'continue',
  'labelSelector',
  'fieldSelector',
  'resourceVersion',
  'resourceVersionMatch',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'propagationPolicy',
  'gracePeriodSeconds',
  'timeoutSeconds',
  'includeObject',
);
const value = fc.oneof(
  fc.constantFrom('', '0', '1', '-1', 'true', 'All', 'Strict', 'a=b', '9'.repeat(30)),
  fc.string(),
);
const query = fc.dictionary(parameter, value, { maxKeys: 3 });
const mediaType = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'application/vnd.kubernetes.protobuf',
    '*/*',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    '',
  ),
  fc.stringMatching(/^[ -~]{0,20}$/),
);

/** Objects that look right from afar: the fields are there, with anything in them. */
const almostObject = fc.record(
  {
    apiVersion: fc.oneof(fc.constant('v1'), fc.jsonValue()),
    kind: fc.oneof(fc.constantFrom('ConfigMap', 'Secret', 'Status'), fc.jsonValue()),
    metadata: fc.oneof(
      fc.record(
        {
          name: fc.jsonValue(),
          labels: fc.jsonValue(),
          finalizers: fc.jsonValue(),
          managedFields: fc.jsonValue(),
          ownerReferences: fc.jsonValue(),
          resourceVersion: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
      fc.constant({ name: 'a' }),
      fc.jsonValue(),
    ),
    data: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
    spec: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const patchOperations = fc.array(
  fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
      path: fc.string(),
      from: fc.string(),
      value: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 4 },
);
const body = fc.oneof(
  almostObject.map((object) => Buffer.from(JSON.stringify(object))),
  patchOperations.map((operations) => Buffer.from(JSON.stringify(operations))),
  fc.json().map((text) => Buffer.from(text)),
  fc.string().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  path,
  query,
  accept: mediaType,
  contentType: mediaType,
  body,
});

it('the embedded API server has an answer for every nonsense, and never one that it has to be ashamed of', {
  timeout: 120_000,
}, async () => {
  const { admin, problems, server } = await faultServer();
  await admin.create(`${namespace}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, accept, contentType, body }) => {
      const known = problems.length;
      const isBodiless = method === 'GET' || method === 'HEAD';
      const parameters = new URLSearchParams({ ...query, timeoutSeconds: '1' });
      // A watch that is accepted would only be silent.
      if (isBodiless) parameters.delete('watch');
      const target = `${encodeURI(path)}?${parameters.toString()}`;

      const answer = await admin.send(method, target, { accept, contentType, body: isBodiless ? undefined : body });

      expect(problems.slice(known)).toEqual([]);
      expect(answer.text).not.toContain('the request could not be carried out');
      expect(answer.status).toBeGreaterThanOrEqual(200);
    }),
    { numRuns: 1_000 },
  );
  expect(server.usage().watches).toBe(0);
});
