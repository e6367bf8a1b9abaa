import { beforeEach, describe, expect, it } from 'vitest';
import { createAuthorizer, openStoreRoles } from '../authz/index.ts';
import { API_SERVER, controllerActor, createSystemCaller } from '../controllers/caller/system-caller.ts';
import { builtInResources } from '../kinds/index.ts';
import type { World } from '../operations/call.ts';
import { createRegistry } from '../registry/registry.ts';
import { openStore } from '../storage/index.ts';
import { createPolicyEnforcement } from './enforce-policies.ts';

const apiVersion = 'admissionregistration.k8s.io/v1';
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'a' } };

const policy = (message: string) => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: { matchConstraints: { resourceRules }, validations: [{ expression: 'false', message }] },
});

const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'] },
};

describe('policies', () => {
  let world: World;
  const type = (group: string, resource: string) => world.registry.require(group, 'v1', resource);
  const as = (name: string, groups: readonly string[] = []) =>
    createSystemCaller(world, { user: { name, groups }, fieldManager: 'test' });
  const policies = () => type('admissionregistration.k8s.io', 'validatingadmissionpolicies');
  const bindings = () => type('admissionregistration.k8s.io', 'validatingadmissionpolicybindings');

  beforeEach(async () => {
    const store = await openStore();
    const registry = createRegistry(builtInResources);
    const authorizer = createAuthorizer(openStoreRoles(store));
    world = {
      store,
      registry,
      now: () => new Date(),
      enforce: createPolicyEnforcement({ store, registry, authorizer }),
    };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
    await as('alice').create(type('', 'namespaces'), namespace);
    return () => store.close();
  });

  const create = () => as('alice').create(type('', 'configmaps'), configMap);

  it('are in force as soon as they are written, changed or deleted', async () => {
    await as('alice').create(bindings(), binding);
    await as('alice').create(policies(), policy('one'));
    await expect(create()).rejects.toThrow("'p' with binding 'b' denied request: one");

    const validations = [{ expression: 'false', message: 'two' }];
    await as('alice').mergePatch(policies(), { name: 'p' }, { spec: { validations } });
    await expect(create()).rejects.toThrow('denied request: two');

    await as('alice').remove(bindings(), { name: 'b' });
    await expect(create()).resolves.toMatchObject({ code: 201 });
  });

  it('hold for controllers, but not for the server itself', async () => {
    await create();
    await as('alice').create(policies(), policy('no'));
    await as('alice').create(bindings(), binding);
    const remove = (actor: Parameters<typeof createSystemCaller>[1]) =>
      createSystemCaller(world, actor).remove(type('', 'configmaps'), { namespace: 'default', name: 'a' });

    await expect(remove(controllerActor('generic-garbage-collector'))).rejects.toThrow('denied request: no');
    await expect(remove(API_SERVER)).resolves.toMatchObject({ code: 200 });
  });

  it('are not let to read what their authors may not read', async () => {
    const spec = { ...policy('no').spec, paramKind: { apiVersion: 'v1', kind: 'Secret' } };

    await expect(as('eve').create(policies(), { ...policy('no'), spec })).rejects.toThrow(
      'user &{eve  [] map[]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
    );
    await expect(as('root', ['system:masters']).create(policies(), { ...policy('no'), spec })).resolves.toMatchObject({
      code: 201,
    });
  });
});
