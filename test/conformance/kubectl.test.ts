import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { parse } from 'yaml';
import { installGadgets } from './kubectl-gadgets.ts';
import { type Kubectl, kubectlMissing, kubectlOn, steady } from './kubectl.ts';
import { configMap } from './objects.ts';
import { inNamespace } from './paths.ts';
import { conformance } from './suite.ts';

const namespace = 'conf-kubectl-reading';
const group = 'reading.conf.example';

conformance(
  'kubectl, reading',
  ({ check, prepare }) => {
    let kubectl: Kubectl;
    prepare(async (server) => {
      const { admin, createNamespace } = server;
      await createNamespace(namespace);
      kubectl = await kubectlOn(server, namespace);
      await installGadgets(server, { group, kind: 'Gadget' }, namespace);
      await admin.create(inNamespace('v1/serviceaccounts', namespace)(), { metadata: { name: 'robot' } });
      const rbac = 'rbac.authorization.k8s.io';
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];
      await admin.create(inNamespace(`${rbac}/v1/roles`, namespace)(), { metadata: { name: 'reader' }, rules });
      await admin.create(inNamespace(`${rbac}/v1/rolebindings`, namespace)(), {
        metadata: { name: 'readers' },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace }],
      });
    });
    afterAll(() => kubectl?.close());

    check('get prints columns, wide ones on demand', async () => {
      expect(steady(await kubectl.out('get gadgets'))).toBe('NAME SIZE AGE\nfirst 1 <age>\nsecond 2 <age>\n');
      expect(steady(await kubectl.out('get gadx first -o wide'))).toBe('NAME SIZE COLOR AGE\nfirst 1 red <age>\n');
      expect(steady(await kubectl.out('get gadgets.reading.conf.example --no-headers'))).toBe(
        'first 1 <age>\nsecond 2 <age>\n',
      );
      expect(await kubectl.out('get gadgetry -o name')).toBe(
        'gadget.reading.conf.example/first\ngadget.reading.conf.example/second\n',
      );
      expect(await kubectl.out('get gadgets -o jsonpath={.items[*].spec.size}')).toBe('1 2');
      expect(await kubectl.out('get gadgets -o custom-columns=N:.metadata.name,S:.spec.size')).toBe(
        'N        S\nfirst    1\nsecond   2\n',
      );
      expect(steady(await kubectl.out('get gadgets --sort-by=.spec.size --show-labels'))).toBe(
        'NAME SIZE AGE LABELS\nfirst 1 <age> <none>\nsecond 2 <age> <none>\n',
      );
    });

    check('get prints YAML and JSON', async () => {
      const yaml = await kubectl.out('get gadget first -o yaml');
      const json = JSON.parse(await kubectl.out('get gadgets -o json')) as { kind: string; items: { spec: object }[] };

      expect(yaml.split('\n').filter((line) => !/uid|resourceVersion|creationTimestamp/.test(line))).toEqual([
        'apiVersion: reading.conf.example/v1',
        'kind: Gadget',
        'metadata:',
        '  generation: 1',
        '  name: first',
        '  namespace: conf-kubectl-reading',
        'spec:',
        '  color: red',
        '  size: 1',
        '',
      ]);
      expect([json.kind, json.items.map(({ spec }) => spec)]).toEqual([
        'List',
        [
          { color: 'red', size: 1 },
          { color: 'blue', size: 2 },
        ],
      ]);
    });

    check('get says what is not there', async () => {
      expect(await kubectl.run('get gadget absent')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Error from server (NotFound): gadgets.reading.conf.example "absent" not found\n',
      });
      expect(await kubectl.run('get unicorns')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: the server doesn\'t have a resource type "unicorns"\n',
      });
      expect(await kubectl.run('get gadget absent --ignore-not-found')).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await kubectl.run('get secrets')).toEqual({
        code: 0,
        stdout: '',
        stderr: 'No resources found in conf-kubectl-reading namespace.\n',
      });
    });

    check('get selects by label and field, in all namespaces and in chunks', async () => {
      await kubectl.out('create -f -', configMap('labelled', {}, { labels: { check: 'select' } }));

      expect(await kubectl.out('get cm -l check=select -o name')).toBe('configmap/labelled\n');
      expect(await kubectl.out('get cm --field-selector metadata.name=labelled -o name')).toBe('configmap/labelled\n');
      expect(steady(await kubectl.out('get cm -A -l check=select'))).toBe(
        'NAMESPACE NAME DATA AGE\nconf-kubectl-reading labelled 0 <age>\n',
      );
      expect((await kubectl.out('get cm --chunk-size=1 -o name')).split('\n')).toEqual(
        expect.arrayContaining(['configmap/kube-root-ca.crt', 'configmap/labelled']),
      );
      expect(await kubectl.run('get cm -l a=b=c')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'Error from server (BadRequest): Unable to find "/v1, Resource=configmaps" that match label selector "a=b=c", field selector "": found \'=\', expected: \',\' or \'end of string\'\n',
      });
    });

    check('get -w tells changes as they come', async ({ admin }) => {
      const maps = inNamespace('v1/configmaps', namespace);
      await admin.create(maps(), configMap('watched', {}, { labels: { check: 'watch' } }));
      const changes = [
        () => admin.patch('merge', maps('watched'), { metadata: { labels: { more: 'yes' } } }),
        () => admin.delete(maps('watched')),
      ];
      const line = 'get cm -w --output-watch-events -l check=watch -o jsonpath={.type}:{.object.metadata.name}{"\\n"}';

      let seen = 0;
      const lines = await kubectl.follow(line, async (printed) => {
        if (printed.length > seen) {
          seen = printed.length;
          await changes.shift()?.();
        }
        return printed.length >= 3;
      });

      expect(lines).toEqual(['ADDED:watched', 'MODIFIED:watched', 'DELETED:watched']);
    });

    check('get -w ends when its time is over', async () => {
      const { code, stdout } = await kubectl.run('get gadgets -w --request-timeout=1s');

      expect([code, steady(stdout)]).toEqual([0, 'NAME SIZE AGE\nfirst 1 <age>\nsecond 2 <age>\n']);
    });

    check('describe shows objects and their events', async () => {
      await kubectl.out('create -f -', configMap('described', { key: 'value' }, { labels: { a: '1' } }));
      expect(steady(await kubectl.out('describe cm described'))).toBe(
        'Name: described\nNamespace: conf-kubectl-reading\nLabels: a=1\nAnnotations: <none>\n\nData\n====\nkey:\n----\nvalue\n\n\nBinaryData\n====\n\nEvents: <none>\n',
      );
      const described = await kubectl.out('describe gadget first');
      expect(
        steady(described)
          .split('\n')
          .filter((line) => !/UID|Resource Version|Creation Timestamp|Time:/.test(line)),
      ).toEqual([
        'Name: first',
        'Namespace: conf-kubectl-reading',
        'Labels: <none>',
        'Annotations: <none>',
        'API Version: reading.conf.example/v1',
        'Kind: Gadget',
        'Metadata:',
        ' Generation: 1',
        'Spec:',
        ' Color: red',
        ' Size: 1',
        'Events: <none>',
        '',
      ]);
      expect(await kubectl.out('describe ns conf-kubectl-reading')).toMatch(
        /^Name: +conf-kubectl-reading\nLabels: +kubernetes\.io\/metadata\.name=conf-kubectl-reading\n/,
      );
    });

    check('explain knows core and custom kinds', async () => {
      const whole = steady(await kubectl.out('explain gadget'));
      expect(
        whole.startsWith(
          `GROUP: ${group}\nKIND: Gadget\nVERSION: v1\n\nDESCRIPTION:\n Gadget is a thing.\n\nFIELDS:\n`,
        ),
      ).toBe(true);
      expect(whole).toMatch(/\n metadata\t<ObjectMeta>\n/);
      expect(whole).toContain('\n spec\t<Object>\n What is wanted.\n\n status\t<Object>\n');
      expect(steady(await kubectl.out('explain gadget.spec.size'))).toBe(
        'GROUP: reading.conf.example\nKIND: Gadget\nVERSION: v1\n\nFIELD: size <integer>\n\n\nDESCRIPTION:\n How big it is.\n\n\n',
      );
      expect(steady(await kubectl.out('explain gadgets.spec --recursive'))).toBe(
        'GROUP: reading.conf.example\nKIND: Gadget\nVERSION: v1\n\nFIELD: spec <Object>\n\n\nDESCRIPTION:\n What is wanted.\n\nFIELDS:\n color\t<string>\n enum: red, blue\n size\t<integer>\n\n',
      );
      expect(await kubectl.out('explain configmap.data')).toMatch(
        /KIND: +ConfigMap\nVERSION: +v1\n\nFIELD: data <map\[string\]string>\n/,
      );
      expect((await kubectl.run('explain unicorn')).stderr).toBe(
        'the server doesn\'t have a resource type "unicorn"\n',
      );
    });

    check('auth tells what one may do and who one is', async () => {
      expect(await kubectl.out('auth can-i create configmaps')).toBe('yes\n');
      expect(await kubectl.run('auth can-i create configmaps --as=conf-nobody')).toEqual({
        code: 1,
        stdout: 'no\n',
        stderr: '',
      });
      expect(await kubectl.out('auth can-i get configmaps --as=system:serviceaccount:conf-kubectl-reading:robot')).toBe(
        'yes\n',
      );
      expect(
        steady(await kubectl.out('auth can-i --list --as=system:serviceaccount:conf-kubectl-reading:robot')).split(
          '\n',
        ),
      ).toEqual(expect.arrayContaining(['configmaps [] [] [get list]']));
      expect(steady(await kubectl.out('auth whoami')).replace(/X509SHA256=\w+/, '<hash>')).toBe(
        'ATTRIBUTE VALUE\nUsername admin\nGroups [system:masters system:authenticated]\nExtra: authentication.kubernetes.io/credential-id [<hash>]\n',
      );
      expect(steady(await kubectl.out('auth whoami --as=jane --as-group=devs -o jsonpath={.status.userInfo}'))).toBe(
        '{"groups":["devs","system:authenticated"],"username":"jane"}',
      );
    });

    check('--as acts for others', async () => {
      expect((await kubectl.run('get cm --as=conf-nobody')).stderr).toBe(
        'Error from server (Forbidden): configmaps is forbidden: User "conf-nobody" cannot list resource "configmaps" in API group "" in the namespace "conf-kubectl-reading"\n',
      );
      expect((await kubectl.run('get cm --as=system:serviceaccount:conf-kubectl-reading:robot')).code).toBe(0);
    });

    check('create token makes one that works', async ({ kubeconfig }) => {
      const token = (await kubectl.out('create token robot')).trim();
      const config = parse(await kubeconfig()) as { users: [{ user: object }] };
      config.users[0].user = { token };
      const file = join(kubectl.folder, 'robot');
      await writeFile(file, JSON.stringify(config), { mode: 0o600 });

      expect(await kubectl.out(`auth whoami -o jsonpath={.status.userInfo.username} --kubeconfig ${file}`)).toBe(
        `system:serviceaccount:${namespace}:robot`,
      );
    });

    check('api-resources and api-versions list what there is', async () => {
      expect(steady(await kubectl.out('api-resources --api-group=reading.conf.example'))).toBe(
        'NAME SHORTNAMES APIVERSION NAMESPACED KIND\ngadgets gadx reading.conf.example/v1 true Gadget\n',
      );
      expect(steady(await kubectl.out('api-resources --api-group=reading.conf.example -o wide'))).toBe(
        'NAME SHORTNAMES APIVERSION NAMESPACED KIND VERBS CATEGORIES\ngadgets gadx reading.conf.example/v1 true Gadget delete,deletecollection,get,list,patch,create,update,watch gadgetry\n',
      );
      expect(steady(await kubectl.out('api-resources --api-group=rbac.authorization.k8s.io'))).toBe(
        'NAME SHORTNAMES APIVERSION NAMESPACED KIND\nclusterrolebindings rbac.authorization.k8s.io/v1 false ClusterRoleBinding\nclusterroles rbac.authorization.k8s.io/v1 false ClusterRole\nrolebindings rbac.authorization.k8s.io/v1 true RoleBinding\nroles rbac.authorization.k8s.io/v1 true Role\n',
      );
      expect((await kubectl.out('api-resources --namespaced=true -o name')).split('\n')).toEqual(
        expect.arrayContaining(['configmaps', 'secrets', 'deployments.apps', 'gadgets.reading.conf.example']),
      );
      expect((await kubectl.out('api-versions')).split('\n')).toEqual(
        expect.arrayContaining(['v1', 'apps/v1', 'apiextensions.k8s.io/v1', 'reading.conf.example/v1']),
      );
    });

    check('config, version and cluster-info tell about the server', async () => {
      expect(await kubectl.out('config current-context')).toMatch(/^\S+\n$/);
      expect(await kubectl.out('config view --minify -o jsonpath={.clusters[0].cluster.server}')).toMatch(
        /^https:\/\/127\.0\.0\.1:\d+$/,
      );
      // A server built without a version number makes kubectl fail after it has printed.
      const { stdout } = await kubectl.run('version -o json');
      const { serverVersion } = JSON.parse(stdout) as { serverVersion: { major: string; minor: string } };
      expect([serverVersion.major, serverVersion.minor]).toEqual(['1', '35']);
      expect(await kubectl.out('cluster-info --request-timeout=10s')).toMatch(
        /Kubernetes control plane.* is running at .*https:\/\/127\.0\.0\.1:\d+/,
      );
    });

    check('reads raw paths', async () => {
      expect(await kubectl.out('get --raw /readyz')).toBe('ok');
      expect(
        JSON.parse(await kubectl.out('get --raw /api/v1/namespaces/conf-kubectl-reading/configmaps/kube-root-ca.crt')),
      ).toMatchObject({ kind: 'ConfigMap' });
    });

    check('events lists events', async () => {
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'shown' },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', namespace },
        reason: 'Tested',
        message: 'a test',
        type: 'Normal',
        lastTimestamp: new Date().toISOString().replace(/\.\d+Z/, 'Z'),
      };
      await kubectl.out('create -f -', event);
      expect(steady(await kubectl.out('events --for=configmap/x'))).toBe(
        'LAST SEEN TYPE REASON OBJECT MESSAGE\n<unknown> Normal Tested ConfigMap/x a test\n',
      );
      expect(steady(await kubectl.out('get events --field-selector reason=Tested'))).toBe(
        'LAST SEEN TYPE REASON OBJECT MESSAGE\n<age> Normal Tested configmap/x a test\n',
      );
    });
  },
  { missing: kubectlMissing },
);
