import { eventually } from '@klutch/kit';
import { afterAll, expect } from 'vitest';
import { labelled, valid } from './admission/policies.ts';
import { type Kubectl, kubectlMissing, kubectlOn } from './kubectl.ts';
import { configMap } from './objects.ts';
import { conformance } from './suite.ts';

const namespace = 'conf-kubectl-policies';
const name = 'conf-kubectl-policy';
const apiVersion = 'admissionregistration.k8s.io/v1';

const policy = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints: labelled(namespace, name), ...valid('false', { message: 'not here' }) },
};

const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
};

conformance(
  'kubectl and policies',
  ({ check, prepare }) => {
    let kubectl: Kubectl;
    prepare(async (server) => {
      await server.createNamespace(namespace);
      kubectl = await kubectlOn(server, namespace);
    });
    afterAll(() => kubectl?.close());

    check('apply, show, obey and delete them', async () => {
      const both = { apiVersion: 'v1', kind: 'List', items: [policy, binding] };
      const typed = (kind: string) => `${kind}.admissionregistration.k8s.io/${name}`;
      const names = [typed('validatingadmissionpolicy'), typed('validatingadmissionpolicybinding')];
      expect(await kubectl.out('apply -f -', both)).toBe(names.map((one) => `${one} created\n`).join(''));
      // Rules are one list, which kubectl sends again because the server has added the scope.
      expect(await kubectl.out('apply -f -', both)).toBe(`${names[0]} configured\n${names[1]} unchanged\n`);
      expect(await kubectl.out(`get validatingadmissionpolicy ${name}`)).toMatch(
        /^NAME +VALIDATIONS +PARAMKIND +AGE\nconf-kubectl-policy +1 +<unset> +\d+s\n$/,
      );
      expect(await kubectl.out(`get validatingadmissionpolicybinding ${name}`)).toMatch(
        /^NAME +POLICYNAME +PARAMREF +AGE\nconf-kubectl-policy +conf-kubectl-policy +<unset> +\d+s\n$/,
      );

      const sent = configMap('refused', {}, { labels: { policy: name } });
      const create = () => kubectl.run('create --dry-run=server -f -', { stdin: sent });
      await eventually(async () => (await create()).code === 1, { what: 'the policy is in force' });
      expect((await create()).stderr).toBe(
        `The configmaps "refused" is invalid: : ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: not here\n`,
      );

      expect(await kubectl.out('delete -f -', both)).toMatch(
        /^validatingadmissionpolicy\..* deleted.*\n.* deleted.*\n$/,
      );
    });
  },
  { missing: kubectlMissing },
);
