import { expect } from 'vitest';
import { masked } from '../mask.ts';
import { secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-pages';
const secrets = inNamespace('v1/secrets', namespace);

conformance('pages of a list', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await admin.create(secrets(), secret(name, { vowel: String('aeiou'.includes(name)) }));
    }
  });
  const names = (body: { items?: readonly { metadata: { name: string } }[] }) =>
    body.items?.map(({ metadata }) => metadata.name);

  check('come one after the other and tell how many objects remain', async ({ admin }) => {
    const { body: first } = await admin.get(`${secrets()}?limit=2`);
    const { body: second } = await admin.get(`${secrets()}?limit=2&continue=${first.metadata.continue}`);
    const { body: third } = await admin.get(`${secrets()}?limit=2&continue=${second.metadata.continue}`);

    expect([names(first), names(second), names(third)]).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect([first, second, third].map(({ metadata }) => metadata.remainingItemCount)).toEqual([3, 1, undefined]);
    expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  check('show the state of the first page, whatever happens meanwhile', async ({ admin }) => {
    const { body: first } = await admin.get(`${secrets()}?limit=3`);
    await admin.create(secrets(), secret('d-later'));
    const { body: second } = await admin.get(`${secrets()}?limit=3&continue=${first.metadata.continue}`);
    await admin.delete(secrets('d-later'));

    expect(names(second)).toEqual(['d', 'e']);
  });

  check('may change their size on the way', async ({ admin }) => {
    const { body: first } = await admin.get(`${secrets()}?limit=1`);
    const { body: rest } = await admin.get(`${secrets()}?continue=${first.metadata.continue}`);

    expect(names(rest)).toEqual(['b', 'c', 'd', 'e']);
  });

  check('hold what a selector lets through, without the number that remains', async ({ admin }) => {
    const { body: first } = await admin.get(`${secrets()}?limit=2&labelSelector=vowel=false`);
    const { body: second } = await admin.get(
      `${secrets()}?limit=2&labelSelector=vowel=false&continue=${first.metadata.continue}`,
    );

    expect([names(first), names(second)]).toEqual([['b', 'c'], ['d']]);
    expect(first.metadata.remainingItemCount).toBeUndefined();
  });

  check('are not needed when everything fits', async ({ admin }) => {
    const { body } = await admin.get(`${secrets()}?limit=5`);

    expect([names(body)?.length, masked(body.metadata)]).toEqual([5, { resourceVersion: '<version>' }]);
  });

  check('reach over all namespaces', async ({ admin }) => {
    const all = '/api/v1/secrets';
    const { body: first } = await admin.get(`${all}?limit=1`);
    const { body: second } = await admin.get(`${all}?limit=1&continue=${first.metadata.continue}`);

    expect([first.items.length, second.items.length]).toEqual([1, 1]);
    expect(second.items[0]?.metadata.uid).not.toBe(first.items[0]?.metadata.uid);
  });

  check('are not made for a limit below zero', async ({ admin }) => {
    const { status, body } = await admin.get(`${secrets()}?limit=-1`);

    expect([status, names(body)?.length]).toEqual([200, 5]);
  });

  const refusals: readonly (readonly [title: string, query: string, refusal: Refusal])[] = [
    [
      'a continue token that is none',
      'limit=2&continue=abc',
      badRequest(
        "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
      ),
    ],
    [
      'a continue token of other content',
      `limit=2&continue=${Buffer.from('{}').toString('base64url')}`,
      badRequest('invalid continue token: continue key is not valid: server does not recognize this encoded version '),
    ],
    ['a limit that is no number', 'limit=two', badRequest('strconv.ParseInt: parsing "two": invalid syntax')],
  ];
  for (const [title, query, expected] of refusals) {
    check(`are refused for ${title}`, async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?${query}`), expected);
    });
  }

  check('are refused for a version beside a continue token', async ({ admin }) => {
    const { body } = await admin.get(`${secrets()}?limit=2`);

    expectRefusal(
      await admin.get(`${secrets()}?continue=${body.metadata.continue}&resourceVersion=1`),
      badRequest('specifying resource version is not allowed when using continue'),
    );
  });
});
