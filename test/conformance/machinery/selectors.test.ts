import { expect } from 'vitest';
import { secret } from '../objects.ts';
import { inNamespace } from '../paths.ts';
import { badRequest, expectRefusal, invalidValue, nameRules, type Refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const namespace = 'conf-selectors';
const secrets = inNamespace('v1/secrets', namespace);

const labelled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a-db-prod': { app: 'db', env: 'prod' },
  'b-db-test': { app: 'db', env: 'test', size: '5' },
  'c-web': { app: 'web', 'x.io/empty': '' },
  'd-none': {},
};

/** Label selectors and the objects they let through. */
const labelSelectors: readonly (readonly [selector: string, names: readonly string[]])[] = [
  ['app=db', ['a-db-prod', 'b-db-test']],
  ['app==db', ['a-db-prod', 'b-db-test']],
  ['app!=db', ['c-web', 'd-none']],
  ['app=db,env=prod', ['a-db-prod']],
  ['app', ['a-db-prod', 'b-db-test', 'c-web']],
  ['!app', ['d-none']],
  ['env in (prod,test)', ['a-db-prod', 'b-db-test']],
  ['env in (prod, none)', ['a-db-prod']],
  ['env notin (prod)', ['b-db-test', 'c-web', 'd-none']],
  ['x.io/empty=', ['c-web']],
  ['x.io/empty in (),app', ['c-web']],
  ['size>4', ['b-db-test']],
  ['size<5', []],
  ['', ['a-db-prod', 'b-db-test', 'c-web', 'd-none']],
  [' app = db , env != prod ', ['b-db-test']],
];

const badLabelSelectors: readonly (readonly [selector: string, refusal: Refusal])[] = [
  ['app=db=x', badRequest("found '=', expected: ',' or 'end of string'")],
  ['app in prod', badRequest("unable to parse requirement: found 'prod' expected: '('")],
  ['app in (prod', badRequest("unable to parse requirement: found '', expected: ',' or ')'")],
  ['=db', badRequest("found '=', expected: !, identifier, or 'end of string'")],
  ['app=-db', badRequest(`unable to parse requirement: values[0][app]: ${invalidValue('-db', nameRules.labelValue)}`)],
  ['a/b/c=d', badRequest(`unable to parse requirement: <nil>: ${invalidValue('a/b/c', nameRules.labelKey)}`)],
  [
    'size>big',
    badRequest(
      "unable to parse requirement: values[0]: Invalid value: \"big\": for 'Gt', 'Lt' operators, the value must be an integer",
    ),
  ],
  ['app,,env', badRequest("found ',', expected: identifier after ','")],
  ['!app=db', badRequest("found '=', expected: ',' or 'end of string'")],
  ['-app', badRequest(`unable to parse requirement: <nil>: ${invalidValue('-app', nameRules.qualified)}`)],
];

const fieldSelectors: readonly (readonly [selector: string, names: readonly string[]])[] = [
  ['metadata.name=c-web', ['c-web']],
  ['metadata.name!=c-web', ['a-db-prod', 'b-db-test', 'd-none']],
  ['metadata.namespace=conf-selectors,metadata.name==d-none', ['d-none']],
  ['metadata.namespace=elsewhere', []],
  ['', ['a-db-prod', 'b-db-test', 'c-web', 'd-none']],
];

const badFieldSelectors: readonly (readonly [selector: string, refusal: Refusal])[] = [
  ['data.a=1', badRequest('field label not supported: data.a')],
  ['metadata.labels.app=db', badRequest('field label not supported: metadata.labels.app')],
  ['metadata.name', badRequest("invalid selector: 'metadata.name'; can't understand 'metadata.name'")],
  [
    'metadata.name in (a)',
    badRequest("invalid selector: 'metadata.name in (a)'; can't understand 'metadata.name in (a)'"),
  ],
  ['metadata.name=a=b', badRequest('invalid field selector: unescaped character in value: 61')],
];

conformance('selectors', ({ check, prepare }) => {
  prepare(async ({ admin, createNamespace }) => {
    await createNamespace(namespace);
    for (const [name, labels] of Object.entries(labelled)) await admin.create(secrets(), secret(name, labels));
  });
  const names = (body: { items?: readonly { metadata: { name: string } }[] }) =>
    body.items?.map(({ metadata }) => metadata.name);

  for (const [selector, expected] of labelSelectors) {
    check(`by label "${selector}" select the objects that match`, async ({ admin }) => {
      const { status, body } = await admin.get(`${secrets()}?labelSelector=${encodeURIComponent(selector)}`);

      expect([status, names(body)]).toEqual([200, expected]);
    });
  }

  for (const [selector, expected] of badLabelSelectors) {
    check(`by label "${selector}" are refused`, async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?labelSelector=${encodeURIComponent(selector)}`), expected);
    });
  }

  for (const [selector, expected] of fieldSelectors) {
    check(`by field "${selector}" select the objects that match`, async ({ admin }) => {
      const { status, body } = await admin.get(`${secrets()}?fieldSelector=${encodeURIComponent(selector)}`);

      expect([status, names(body)]).toEqual([200, expected]);
    });
  }

  for (const [selector, expected] of badFieldSelectors) {
    check(`by field "${selector}" are refused`, async ({ admin }) => {
      expectRefusal(await admin.get(`${secrets()}?fieldSelector=${encodeURIComponent(selector)}`), expected);
    });
  }

  check('by label and by field hold together', async ({ admin }) => {
    const { body } = await admin.get(`${secrets()}?labelSelector=app=db&fieldSelector=metadata.name!=a-db-prod`);

    expect(names(body)).toEqual(['b-db-test']);
  });

  check('of a Secret know its type', async ({ admin }) => {
    const { body } = await admin.get(`${secrets()}?fieldSelector=type=Opaque,metadata.name=c-web`);

    expect(names(body)).toEqual(['c-web']);
  });

  check('of namespaces know the phase', async ({ admin }) => {
    const { body } = await admin.get(`/api/v1/namespaces?fieldSelector=status.phase=Active,metadata.name=${namespace}`);

    expect(names(body)).toEqual([namespace]);
  });

  check('of events know what the event is about', async ({ admin }) => {
    const events = inNamespace('v1/events', namespace);
    const involvedObject = { kind: 'Secret', name: 'c-web', namespace };
    await admin.create(events(), { metadata: { name: 'about-web' }, involvedObject, reason: 'Seen', type: 'Normal' });
    const selector = 'involvedObject.name=c-web,involvedObject.kind=Secret,reason=Seen,type=Normal';

    const { body } = await admin.get(`${events()}?fieldSelector=${selector}`);

    expect(names(body)).toEqual(['about-web']);
  });
});
