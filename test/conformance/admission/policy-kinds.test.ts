import { eventually } from '@klutch/kit';
import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { inNamespace } from '../paths.ts';
import { masked, storedMeta } from '../mask.ts';
import { expectRefusal, invalid } from '../refusal.ts';
import { conformance } from '../suite.ts';
import { bindings, enforce, idle, on, policies, valid } from './policies.ts';

const namespace = 'conf-policy-kinds';
const configMaps = inNamespace('v1/configmaps', namespace);
const apiVersion = 'admissionregistration.k8s.io/v1';
const policyKind = { apiVersion, kind: 'ValidatingAdmissionPolicy' };
const bindingKind = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

conformance('the kinds of policies', ({ check, prepare }) => {
  prepare((server) => server.createNamespace(namespace));

  check('are discovered', async ({ admin }) => {
    const { body } = await admin.get('/apis/admissionregistration.k8s.io/v1');
    const resources = body['resources'] as readonly { readonly name: string; readonly kind: string }[];
    const found = resources.filter(({ name }) => name.startsWith('validatingadmissionpolic'));
    const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
    const categories = ['api-extensions'];
    const served = { namespaced: false, verbs, categories, storageVersionHash: expect.any(String) as string };
    expect(found).toEqual([
      {
        name: 'validatingadmissionpolicies',
        singularName: 'validatingadmissionpolicy',
        kind: 'ValidatingAdmissionPolicy',
        ...served,
      },
      {
        name: 'validatingadmissionpolicies/status',
        singularName: '',
        namespaced: false,
        kind: 'ValidatingAdmissionPolicy',
        verbs: ['get', 'patch', 'update'],
      },
      {
        name: 'validatingadmissionpolicybindings',
        singularName: 'validatingadmissionpolicybinding',
        kind: 'ValidatingAdmissionPolicyBinding',
        ...served,
      },
    ]);
  });

  check('have defaults', async ({ admin }) => {
    const sent = {
      metadata: { name: 'conf-kinds-defaults' },
      spec: {
        matchConstraints: { resourceRules: [on(['configmaps'], { resourceNames: ['nobody'] })] },
        ...valid('true'),
      },
    };
    const { body } = await admin.post(policies(), sent);
    expect(masked(body)).toEqual({
      ...policyKind,
      metadata: storedMeta('conf-kinds-defaults', undefined, { generation: 1 }),
      spec: {
        matchConstraints: {
          namespaceSelector: {},
          objectSelector: {},
          resourceRules: [
            {
              resourceNames: ['nobody'],
              operations: ['*'],
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['configmaps'],
              scope: '*',
            },
          ],
          matchPolicy: 'Equivalent',
        },
        validations: [{ expression: 'true' }],
        failurePolicy: 'Fail',
      },
      status: {},
    });
    const bound = await admin.post(bindings(), {
      metadata: { name: 'conf-kinds-defaults' },
      spec: { policyName: 'nothing', validationActions: ['Deny'], matchResources: {} },
    });
    expect(masked(bound.body)).toEqual({
      ...bindingKind,
      metadata: storedMeta('conf-kinds-defaults', undefined, { generation: 1 }),
      spec: {
        policyName: 'nothing',
        matchResources: { namespaceSelector: {}, objectSelector: {}, matchPolicy: 'Equivalent' },
        validationActions: ['Deny'],
      },
    });
  });

  check('count the changes of their specs', async ({ admin }) => {
    await admin.create(policies(), idle(namespace, 'conf-kinds-generation'));
    const changed = await admin.patch('merge', policies('conf-kinds-generation'), { spec: valid('1 == 1') });
    const labelledOnly = await admin.patch('merge', policies('conf-kinds-generation'), {
      metadata: { labels: { a: 'b' } },
    });
    expect([changed.body.metadata.generation, labelledOnly.body.metadata.generation]).toEqual([2, 2]);
  });

  check('are replaced with their version only', async ({ admin }) => {
    await admin.create(policies(), idle(namespace, 'conf-kinds-replaced'));
    expectRefusal(
      await admin.put(policies('conf-kinds-replaced'), idle(namespace, 'conf-kinds-replaced')),
      invalid({ group: 'admissionregistration.k8s.io', kind: 'validatingadmissionpolicies' }, 'conf-kinds-replaced', [
        ['metadata.resourceVersion', 'FieldValueInvalid', 'Invalid value: 0: must be specified for an update'],
      ]),
    );
  });

  check('have a status of their own', async ({ admin }) => {
    const path = policies('conf-kinds-status');
    await admin.create(policies(), { ...idle(namespace, 'conf-kinds-status'), status: { observedGeneration: 7 } });
    const status = {
      observedGeneration: 1,
      typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'odd' }] },
    };
    const written = await admin.patch('merge', `${path}/status`, { status, spec: valid('false') });
    expect(written.body.status).toEqual(status);
    expect(written.body.spec['validations']).toEqual([{ expression: 'true' }]);
    const main = await admin.patch('merge', path, { status: { observedGeneration: 9 } });
    expect(main.body.status).toEqual(status);
    const empty = { typeChecking: { expressionWarnings: [{ fieldRef: '', warning: '' }] } };
    expectRefusal(
      await admin.patch('merge', `${path}/status`, { status: empty }),
      invalid({ group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy' }, 'conf-kinds-status', [
        ['status.typeChecking.expressionWarnings[0].warning', 'FieldValueRequired', 'Required value'],
        ['status.typeChecking.expressionWarnings[0].fieldRef', 'FieldValueRequired', 'Required value'],
      ]),
    );
  });

  check('are shown in columns', async ({ admin }) => {
    const selector = {
      matchLabels: { b: '2', a: '1' },
      matchExpressions: [{ key: 'c', operator: 'In', values: ['x'] }],
    };
    const ref = (name: string, paramRef?: object) =>
      admin.create(bindings(), {
        metadata: { name, labels: { shown: 'conf-kinds' } },
        spec: { policyName: 'nothing', validationActions: ['Deny'], paramRef },
      });
    const parameterNotFoundAction = 'Allow';
    await admin.create(policies(), {
      ...idle(namespace, 'conf-kinds-columns', { paramKind: { apiVersion: 'v1', kind: 'Secret' } }),
      metadata: { name: 'conf-kinds-columns', labels: { shown: 'conf-kinds' } },
    });
    await ref('conf-kinds-none');
    await ref('conf-kinds-one', { name: 'a', parameterNotFoundAction });
    await ref('conf-kinds-placed', { name: 'a', namespace: 'b', parameterNotFoundAction });
    await ref('conf-kinds-selected', { selector, parameterNotFoundAction });

    const shownPolicies = await tableOf(admin, policies());
    const shownBindings = await tableOf(admin, bindings());
    expect(shownPolicies.cells).toEqual([['conf-kinds-columns', 1, 'v1/Secret']]);
    expect(shownBindings.cells).toEqual([
      ['conf-kinds-none', 'nothing', '<unset>'],
      ['conf-kinds-one', 'nothing', '*/a'],
      ['conf-kinds-placed', 'nothing', 'b/a'],
      [
        'conf-kinds-selected',
        'nothing',
        '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[x],},},}',
      ],
    ]);
    expect(shownPolicies.columns).toEqual(['Name string', 'Validations integer', 'ParamKind string', 'Age string']);
    expect(shownBindings.columns).toEqual(['Name string', 'PolicyName string', 'ParamRef string', 'Age string']);
  });

  check('are applied', async ({ admin }) => {
    const name = 'conf-kinds-applied';
    const variables = [{ name: 'a', expression: '1' }];
    const first = await admin.apply(policies(name), 'one', { ...policyKind, ...idle(namespace, name, { variables }) });
    const other = { ...policyKind, metadata: { name }, spec: { variables: [{ name: 'b', expression: '2' }] } };
    const second = await admin.apply(policies(name), 'two', other);
    expect(first.status).toBe(201);
    expect(second.body.spec['variables']).toEqual([...variables, { name: 'b', expression: '2' }]);
  });

  check('are in force while they and their bindings are there', async ({ admin }) => {
    const name = 'conf-kinds-life';
    const finalizers = ['conf.example/held'];
    await enforce(admin, namespace, { [name]: { policy: valid('false', { message: 'one' }) } });
    expect(await verdict(admin, name)).toBe('one');

    await admin.patch('merge', policies(name), { metadata: { finalizers }, spec: valid('false', { message: 'two' }) });
    await eventually(async () => (await verdict(admin, name)) === 'two', { what: 'the change is in force' });

    await admin.delete(policies(name));
    await admin.patch('merge', bindings(name), { spec: { validationActions: ['Audit'] } });
    await eventually(async () => (await verdict(admin, name)) === 'admitted', { what: 'the binding only audits' });
    await admin.patch('merge', bindings(name), { spec: { validationActions: ['Deny'] } });
    await eventually(async () => (await verdict(admin, name)) === 'two', { what: 'a held policy is in force' });

    await admin.patch('merge', policies(name), { metadata: { finalizers: null } });
    await eventually(async () => (await verdict(admin, name)) === 'admitted', { what: 'the policy is gone' });

    await admin.create(policies(), idle(namespace, name, valid('false', { message: 'three' })));
    await eventually(async () => (await verdict(admin, name)) === 'three', { what: 'the policy is back' });
    await admin.delete(bindings(name));
    await eventually(async () => (await verdict(admin, name)) === 'admitted', { what: 'the binding is gone' });
  });

  check('are not themselves subject to policies', async ({ admin }) => {
    const name = 'conf-kinds-exempt';
    const resourceRules = [
      on(['*/*'], { apiGroups: ['admissionregistration.k8s.io'], resourceNames: ['conf-kinds-victim'] }),
      on(['configmaps'], { resourceNames: ['conf-kinds-victim'] }),
    ];
    await admin.create(policies(), {
      metadata: { name },
      spec: { matchConstraints: { resourceRules }, ...valid('false') },
    });
    await admin.create(bindings(), { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } });
    const victim = { metadata: { name: 'conf-kinds-victim' } };
    await eventually(async () => (await admin.post(`${configMaps()}?dryRun=All`, victim)).status === 422, {
      what: 'the policy is in force',
    });
    const statuses = [
      await admin.post(policies(), idle(namespace, 'conf-kinds-victim')),
      await admin.post(bindings(), { ...victim, spec: { policyName: name, validationActions: ['Deny'] } }),
      await admin.patch('merge', `${policies('conf-kinds-victim')}/status`, { status: { observedGeneration: 1 } }),
      await admin.delete(policies('conf-kinds-victim')),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 200, 200]);
  });
});

interface Table {
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string }[];
}

/** Columns, and what stands in all but the last one, which is the age. */
async function tableOf(admin: Client, path: string) {
  const { body } = await admin.get(`${path}?labelSelector=shown=conf-kinds`, table);
  const { rows, columnDefinitions } = body as unknown as Table;
  return {
    columns: columnDefinitions.map(({ name, type }) => `${name} ${type}`),
    cells: rows.map(({ cells }) => cells.slice(0, -1)),
  };
}

/** The message with which a policy denies a config map that it is about. */
async function verdict(admin: Client, policy: string): Promise<string> {
  const { status, body } = await admin.post(`${configMaps()}?dryRun=All`, {
    metadata: { name: 'a', labels: { policy } },
  });
  return status === 201 ? 'admitted' : (body.message.split('denied request: ')[1] ?? body.message);
}
