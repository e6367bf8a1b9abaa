import { expect } from 'vitest';
import { inNamespace } from '../paths.ts';
import { expectRefusal } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { deniedBy, enforce, type Rule } from './policies.ts';

const namespace = 'conf-policy-expressions';
const configMaps = inNamespace('v1/configmaps', namespace);

/** The object that all expressions see. */
const data = { a: '1', b: '2', list: '1,2', empty: '' };

/** A policy that tells what an expression results in. */
const shows = (expression: string, more: object = {}) => ({
  policy: { validations: [{ expression: 'false', messageExpression: expression }], ...more },
});

interface Row extends Rule {
  /** Undefined: the request is admitted. */
  readonly message?: string;
}

const holds = (expression: string, more: object = {}): Row => ({
  policy: { validations: [{ expression, message: 'no' }], ...more },
});

const fails = (expression: string, problem: string, more: object = {}): Row => ({
  ...holds(expression, more),
  message: `expression '${expression}' resulted in error: ${problem}`,
});

const variable = (name: string, expression: string) => ({ name, expression });

/** By what is asked. */
const rows: Readonly<Record<string, Row>> = {
  'there is no old object of a creation': holds('oldObject == null && object != null'),
  'fields are looked up by their names': holds("object.data.a == '1' && object['data']['b'] == '2'"),
  'fields that are not there': holds("!has(object.data.c) && has(object.data.a) && !('c' in object.data)"),
  'fields of nothing are not there': holds('!has(oldObject.data)'),
  'a field of nothing fails': fails("oldObject.data.a == '1'", 'no such key: data'),
  'maps are maps': holds("object.data.all(k, k != 'c') && object.data.exists(k, object.data[k] == '2')"),
  'maps have a size': holds('object.data.size() == 4'),
  'entries of maps': holds("object.data.all(k, v, k != '' && v != 'x')"),
  'optional fields': holds("object.?data.a.orValue('x') == '1' && object.?spec.size.orValue('x') == 'x'"),
  'optional entries': holds("object.data[?'c'].orValue('none') == 'none'"),
  'numbers of metadata are whole': holds('!has(object.metadata.generation) && type(object.metadata.labels) == map'),
  'times are strings': holds('type(object.metadata.creationTimestamp) == string'),
  'the server has filled in what it fills in': holds(
    'has(object.metadata.uid) && has(object.metadata.managedFields) && !has(object.metadata.resourceVersion)',
  ),
  'objects say what they are': holds("object.kind == 'ConfigMap' && object.apiVersion == 'v1'"),
  'who sends the request': holds(
    "request.userInfo.username == 'admin' && request.userInfo.groups.exists(g, g == 'system:masters')",
  ),
  'the certificate of the user': holds("'authentication.kubernetes.io/credential-id' in request.userInfo.extra"),
  'users by certificate have no uid': holds('!has(request.userInfo.uid)'),
  'a request without subresource has none': fails("request.subResource == ''", 'no such key: subResource'),
  'kind and resource as they were asked for': holds(
    "request.kind == request.requestKind && request.resource == request.requestResource && request.kind.kind == 'ConfigMap'",
  ),
  'options that were sent': holds(
    "request.options.fieldManager == 'somebody' && request.options.dryRun == ['All'] && !has(request.options.fieldValidation)",
  ),
  'the namespace of the object': holds(
    `namespaceObject.metadata.name == '${namespace}' && namespaceObject.metadata.labels['team'] == 'blue' && namespaceObject.status.phase == 'Active' && namespaceObject.spec.finalizers == ['kubernetes']`,
  ),
  'conditions do not see the namespace': holds('true', {
    matchConditions: [{ name: 'none', expression: 'namespaceObject == null' }],
    validations: [{ expression: 'true' }],
  }),
  'variables have values': {
    ...shows('variables.sum + variables.more', {
      variables: [variable('sum', 'object.data.a + object.data.b'), variable('more', "variables.sum + '!'")],
    }),
    message: '1212!',
  },
  'variables are computed when they are used': holds('true || variables.fails', {
    variables: [variable('fails', 'object.data.c == 1')],
  }),
  'variables that fail': fails('variables.fails', 'composited variable "fails" fails to evaluate: no such key: c', {
    variables: [variable('fails', 'object.data.c == 1')],
  }),
  'variables have the types of their expressions': holds('variables.numbers.sum() == 3 && variables.flag', {
    variables: [variable('numbers', '[1, 2]'), variable('flag', 'object.data.a == "1"')],
  }),
  'variables of any type': holds("variables.parts.all(p, p in ['1', '2'])", {
    variables: [variable('parts', "string(object.data.list).split(',')")],
  }),
  'messages use variables': {
    ...shows("'got ' + string(variables.count)", { variables: [variable('count', 'size(object.data)')] }),
    message: 'got 4',
  },
  'what the user may do': holds("authorizer.group('').resource('pods').namespace('default').check('delete').allowed()"),
  'what a service account may not do': holds(
    "!authorizer.serviceAccount('default', 'default').group('').resource('secrets').check('get').allowed()",
  ),
  'what the user may do with a path': holds("authorizer.path('/healthz').check('get').allowed()"),
  'what the user may do with the resource of the request': holds(
    "authorizer.requestResource.check('create').allowed() && !authorizer.requestResource.check('create').errored()",
  ),
  'why a user may do something': holds("authorizer.requestResource.check('create').reason() == ''"),
  'wrong names of service accounts': fails(
    "authorizer.serviceAccount('default', '_').path('/').check('get').allowed()",
    'Invalid service account name',
  ),
  'operands that do not fit': fails('object.data.a > 1', 'no such overload'),
  'texts that are no numbers': fails('int(object.data.empty) == 1', "type conversion error from 'string' to 'int'"),
  'loops that take too long': fails(
    'lists.range(1000).all(a, lists.range(1001).all(b, a + b >= 0))',
    'operation cancelled: actual cost limit exceeded',
  ),
  'both sides of an or': holds("object.data.c == '1' || object.data.a == '1'"),
  quantities: holds("quantity('1Gi').isGreaterThan(quantity('1Mi'))"),
  patterns: holds("object.data.a.matches('^[0-9]$')"),
  'names in their format': holds('!format.dns1123Label().validate(object.metadata.name).hasValue()'),
};

const titles = Object.keys(rows);
const named = (title: string) => `conf-expression-${titles.indexOf(title)}`;

conformance('expressions of policies', ({ check, prepare }) => {
  prepare(async ({ admin }) => {
    await admin.create('/api/v1/namespaces', { metadata: { name: namespace, labels: { team: 'blue' } } });
    await enforce(
      admin,
      namespace,
      Object.fromEntries(titles.map((title) => [named(title), rows[title] ?? holds('true')])),
    );
  });

  for (const [title, { message }] of Object.entries(rows)) {
    check(title, async ({ admin }) => {
      const policy = named(title);
      const query = '?dryRun=All&fieldManager=somebody';
      const answer = await admin.post(configMaps() + query, { metadata: { name: policy, labels: { policy } }, data });
      if (message === undefined) expect([answer.status, answer.body.message]).toEqual([201, undefined]);
      else expectRefusal(answer, deniedBy(policy, 'configmaps', policy, message));
    });
  }
});
