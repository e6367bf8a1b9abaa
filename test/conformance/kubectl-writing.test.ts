import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@klutch/kit';
import { afterAll, expect } from 'vitest';
import { gadget, installGadgets } from './kubectl-gadgets.ts';
import { type Kubectl, kubectlMissing, kubectlOn } from './kubectl.ts';
import { configMap } from './objects.ts';
import { conformance } from './suite.ts';

const namespace = 'conf-kubectl-writing';
const type = { group: 'writing.conf.example', kind: 'Tool' };

conformance(
  'kubectl, writing',
  ({ check, prepare }) => {
    let kubectl: Kubectl;
    prepare(async (server) => {
      await server.createNamespace(namespace);
      kubectl = await kubectlOn(server, namespace);
      await installGadgets(server, type, namespace);
    });
    afterAll(() => kubectl?.close());

    check('create makes objects from files and from words', async () => {
      expect(await kubectl.out('create -f -', configMap('made', { a: '1' }))).toBe('configmap/made created\n');
      expect(await kubectl.run('create -f -', { stdin: configMap('made', { a: '1' }) })).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^Error from server \(AlreadyExists\): error when creating "STDIN": configmaps "made" already exists\n$/,
        ),
      });
      expect(await kubectl.out('create configmap literal --from-literal=k=v')).toBe('configmap/literal created\n');
      expect(await kubectl.out('create secret generic hidden --from-literal=k=v')).toBe('secret/hidden created\n');
      expect(await kubectl.out('create serviceaccount robot')).toBe('serviceaccount/robot created\n');
      expect(await kubectl.out('create role reader --verb=get,list --resource=configmaps')).toBe(
        'role.rbac.authorization.k8s.io/reader created\n',
      );
      expect(
        await kubectl.out('create rolebinding readers --role=reader --serviceaccount=conf-kubectl-writing:robot'),
      ).toBe('rolebinding.rbac.authorization.k8s.io/readers created\n');
      expect(await kubectl.out('create deployment web --image=nginx --dry-run=server -o name')).toBe(
        'deployment.apps/web\n',
      );
      expect(await kubectl.out('create ns conf-kubectl-made')).toBe('namespace/conf-kubectl-made created\n');
    });

    check('create refuses what the schema does not know', async () => {
      expect(await kubectl.run('create -f -', { stdin: gadget(type, 'unknown', { size: 1, shape: 'round' }) })).toEqual(
        {
          code: 1,
          stdout: '',
          stderr:
            'Error from server (BadRequest): error when creating "STDIN": Tool in version "v1" cannot be handled as a Tool: strict decoding error: unknown field "spec.shape"\n',
        },
      );
      expect(await kubectl.run('create -f -', { stdin: gadget(type, 'invalid', { color: 'green' }) })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'The Tool "invalid" is invalid: spec.color: Unsupported value: "green": supported values: "red", "blue"\n',
      });
      expect(
        await kubectl.run('create --validate=warn -f -', {
          stdin: gadget(type, 'warned', { size: 1, shape: 'round' }),
        }),
      ).toEqual({
        code: 0,
        stdout: 'tool.writing.conf.example/warned created\n',
        stderr: 'Warning: unknown field "spec.shape"\n',
      });
    });

    check('apply merges three ways: own changes, removals and the changes of others', async () => {
      expect(await kubectl.out('apply -f -', configMap('applied', { a: '1', b: '1' }))).toBe(
        'configmap/applied created\n',
      );
      expect(await kubectl.out('apply -f -', configMap('applied', { a: '1', b: '1' }))).toBe(
        'configmap/applied unchanged\n',
      );
      await kubectl.out('patch cm applied --type=merge -p {"data":{"theirs":"x"}}');
      expect(await kubectl.out('apply -f -', configMap('applied', { a: '2', c: '1' }))).toBe(
        'configmap/applied configured\n',
      );
      expect(await kubectl.out('get cm applied -o jsonpath={.data}')).toBe('{"a":"2","c":"1","theirs":"x"}');
    });

    check('apply does the same for custom kinds', async () => {
      expect(await kubectl.out('apply -f -', gadget(type, 'applied', { size: 1, color: 'red' }))).toBe(
        'tool.writing.conf.example/applied created\n',
      );
      expect(await kubectl.out('apply -f -', gadget(type, 'applied', { size: 2 }))).toBe(
        'tool.writing.conf.example/applied configured\n',
      );
      expect(await kubectl.out('get tool applied -o jsonpath={.spec}')).toBe('{"size":2}');
    });

    check('apply prunes and takes several objects at once', async () => {
      const both = {
        apiVersion: 'v1',
        kind: 'List',
        items: [
          configMap('many-1', {}, { labels: { check: 'many' } }),
          configMap('many-2', {}, { labels: { check: 'many' } }),
        ],
      };
      expect(await kubectl.out('apply -f -', both)).toBe('configmap/many-1 created\nconfigmap/many-2 created\n');
      expect(
        await kubectl.out('apply --prune -l check=many --prune-allowlist=core/v1/ConfigMap -f -', {
          ...both,
          items: both.items.slice(0, 1),
        }),
      ).toBe('configmap/many-1 configured\nconfigmap/many-2 pruned\n');
    });

    check('apply --server-side knows managers and conflicts', async () => {
      expect(await kubectl.out('apply --server-side --field-manager=one -f -', configMap('sided', { a: '1' }))).toBe(
        'configmap/sided serverside-applied\n',
      );
      const refused = await kubectl.run('apply --server-side --field-manager=two -f -', {
        stdin: configMap('sided', { a: '2' }),
      });
      expect([refused.code, refused.stderr]).toEqual([
        1,
        'error: Apply failed with 1 conflict: conflict with "one": .data.a\nPlease review the fields above--they currently have other managers. Here\nare the ways you can resolve this warning:\n* If you intend to manage all of these fields, please re-run the apply\n  command with the `--force-conflicts` flag.\n* If you do not intend to manage all of the fields, please edit your\n  manifest to remove references to the fields that should keep their\n  current managers.\n* You may co-own fields by updating your manifest to match the existing\n  value; in this case, you\'ll become the manager if the other manager(s)\n  stop managing the field (remove it from their configuration).\nSee https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts\n',
      ]);
      expect(
        await kubectl.out(
          'apply --server-side --field-manager=two --force-conflicts -f -',
          configMap('sided', { a: '2' }),
        ),
      ).toBe('configmap/sided serverside-applied\n');
      expect(await kubectl.out('get cm sided -o jsonpath={.data}')).toBe('{"a":"2"}');
    });

    check('apply --server-side takes over what client-side apply wrote', async () => {
      await kubectl.out('apply -f -', configMap('migrated', { a: '1', b: '1' }));
      expect(await kubectl.out('apply --server-side -f -', configMap('migrated', { a: '2' }))).toBe(
        'configmap/migrated serverside-applied\n',
      );
      expect(await kubectl.out('get cm migrated -o jsonpath={.data}')).toBe('{"a":"2"}');
    });

    check('apply --dry-run=server changes nothing', async () => {
      expect(await kubectl.out('apply --dry-run=server -f -', configMap('dry', {}))).toBe(
        'configmap/dry created (server dry run)\n',
      );
      expect((await kubectl.run('get cm dry')).code).toBe(1);
    });

    check('diff shows what would change', async () => {
      await kubectl.out('apply -f -', configMap('differing', { a: '1' }));
      const same = await kubectl.run('diff -f -', { stdin: configMap('differing', { a: '1' }) });
      const other = await kubectl.run('diff -f -', { stdin: configMap('differing', { a: '2' }) });
      const sided = await kubectl.run('diff --server-side --force-conflicts -f -', {
        stdin: gadget(type, 'first', { size: 7, color: 'red' }),
      });

      expect([same.code, same.stdout, other.code]).toEqual([0, '', 1]);
      expect(other.stdout.split('\n').filter((line) => /^[-+] /.test(line))).toEqual(['-  a: "1"', '+  a: "2"']);
      expect(sided.stdout.split('\n').filter((line) => /^[-+] .*size/.test(line))).toEqual([
        '-  size: 1',
        '+  size: 7',
      ]);
    });

    check('patch takes every type', async () => {
      await kubectl.out('create -f -', configMap('patched', { a: '1' }));
      expect(await kubectl.out('patch cm patched -p {"data":{"b":"2"}}')).toBe('configmap/patched patched\n');
      expect(await kubectl.out('patch cm patched --type=merge -p {"data":{"c":"3"}}')).toBe(
        'configmap/patched patched\n',
      );
      expect(await kubectl.out('patch cm patched --type=json -p [{"op":"remove","path":"/data/a"}]')).toBe(
        'configmap/patched patched\n',
      );
      expect(await kubectl.out('patch cm patched --type=merge -p {}')).toBe('configmap/patched patched (no change)\n');
      expect(await kubectl.out('get cm patched -o jsonpath={.data}')).toBe('{"b":"2","c":"3"}');
      expect(await kubectl.out('patch tool first --subresource=status --type=merge -p {"status":{"size":1}}')).toBe(
        'tool.writing.conf.example/first patched\n',
      );
      expect((await kubectl.run('patch tool first -p {"spec":{"size":5}}')).stderr).toBe(
        'error: application/strategic-merge-patch+json is not supported by writing.conf.example/v1, Kind=Tool: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml\n',
      );
    });

    check('edit changes what the editor changes', async () => {
      await kubectl.out('create -f -', configMap('edited', { a: '1' }));
      const script = join(kubectl.folder, 'editor.sh');
      await writeFile(script, '#!/bin/sh\nsed -i "s/a: \\"1\\"/a: \\"2\\"/" "$1"\n');
      await chmod(script, 0o700);

      expect(await kubectl.run('edit cm edited', { env: { KUBE_EDITOR: script } })).toEqual({
        code: 0,
        stdout: 'configmap/edited edited\n',
        stderr: '',
      });
      expect(await kubectl.out('get cm edited -o jsonpath={.data.a}')).toBe('2');
      const unchanged = await kubectl.run('edit cm edited', { env: { KUBE_EDITOR: 'true' } });
      expect([unchanged.code, unchanged.stdout + unchanged.stderr]).toEqual([0, 'Edit cancelled, no changes made.\n']);
    });

    check('replace needs an object, and may force one', async () => {
      await kubectl.out('create -f -', configMap('replaced', { a: '1' }));
      expect(await kubectl.out('replace -f -', configMap('replaced', { b: '1' }))).toBe(
        'configmap/replaced replaced\n',
      );
      expect(await kubectl.out('get cm replaced -o jsonpath={.data}')).toBe('{"b":"1"}');
      expect((await kubectl.run('replace -f -', { stdin: configMap('irreplaceable', {}) })).stderr).toBe(
        'Error from server (NotFound): error when replacing "STDIN": configmaps "irreplaceable" not found\n',
      );
      expect(await kubectl.out('replace --force -f -', configMap('replaced', { c: '1' }))).toBe(
        'configmap "replaced" deleted\nconfigmap/replaced replaced\n',
      );
    });

    check('label and annotate add, refuse and remove', async () => {
      await kubectl.out('create -f -', configMap('tagged', {}));
      expect(await kubectl.out('label cm tagged a=1 b=2')).toBe('configmap/tagged labeled\n');
      expect((await kubectl.run('label cm tagged a=2')).stderr).toBe(
        "error: 'a' already has a value (1), and --overwrite is false\n",
      );
      expect(await kubectl.out('label cm tagged a=2 b- --overwrite')).toBe('configmap/tagged labeled\n');
      expect(await kubectl.out('annotate cm tagged x.io/note=hello')).toBe('configmap/tagged annotated\n');
      expect(await kubectl.out('get cm tagged -o jsonpath={.metadata.labels}{.metadata.annotations}')).toBe(
        '{"a":"2"}{"x.io/note":"hello"}',
      );
    });

    check('scale changes the number that a custom kind declares', async () => {
      expect(await kubectl.out('scale tool second --replicas=5')).toBe('tool.writing.conf.example/second scaled\n');
      expect(await kubectl.out('get tool second -o jsonpath={.spec.size}')).toBe('5');
      expect((await kubectl.run('scale tool second --current-replicas=1 --replicas=6')).stderr).toBe(
        'error: Expected replicas to be 1, was 5\n',
      );
    });

    check('delete waits, and says what it deleted', async () => {
      await kubectl.out('create -f -', configMap('deleted', {}));
      expect(await kubectl.out('delete cm deleted')).toBe('configmap "deleted" deleted\n');
      expect((await kubectl.run('delete cm deleted')).stderr).toBe(
        'Error from server (NotFound): configmaps "deleted" not found\n',
      );
      expect(await kubectl.out('delete cm deleted --ignore-not-found')).toBe('');
      await kubectl.out('create -f -', configMap('held', {}, { finalizers: ['x.io/hold'] }));
      expect(await kubectl.out('delete cm held --wait=false')).toBe('configmap "held" deleted\n');
      const timed = await kubectl.run('delete cm held --timeout=1s');
      await kubectl.out('patch cm held --type=merge -p {"metadata":{"finalizers":null}}');
      expect([timed.code, timed.stdout, timed.stderr]).toEqual([
        1,
        'configmap "held" deleted\n',
        'error: timed out waiting for the condition on configmaps/held\n',
      ]);
      await kubectl.out('create -f -', configMap('many-3', {}, { labels: { check: 'delete' } }));
      expect(await kubectl.out('delete cm -l check=delete')).toBe('configmap "many-3" deleted\n');
    });

    for (const cascade of ['background', 'foreground', 'orphan']) {
      check(`delete --cascade=${cascade} treats dependents so`, async () => {
        await kubectl.out('create -f -', configMap(`owner-${cascade}`, {}));
        const uid = await kubectl.out(`get cm owner-${cascade} -o jsonpath={.metadata.uid}`);
        const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${cascade}`, uid, blockOwnerDeletion: true };
        await kubectl.out('create -f -', configMap(`child-${cascade}`, {}, { ownerReferences: [owner] }));

        expect(await kubectl.out(`delete cm owner-${cascade} --cascade=${cascade}`)).toBe(
          `configmap "owner-${cascade}" deleted\n`,
        );
        if (cascade === 'orphan') {
          expect(await kubectl.out('get cm child-orphan -o jsonpath={.metadata.ownerReferences}')).toBe('');
          return;
        }
        await eventually(async () => (await kubectl.run(`get cm child-${cascade}`)).code === 1, {
          what: 'the dependent is gone',
        });
      });
    }

    check('wait sees conditions, values, creation and deletion', async () => {
      await kubectl.out('create -f -', gadget(type, 'awaited', { size: 1 }));
      await kubectl.out(
        'patch tool awaited --subresource=status --type=merge -p {"status":{"conditions":[{"type":"Ready","status":"True"}]}}',
      );
      expect(await kubectl.out('wait tool/awaited --for=condition=Ready --timeout=5s')).toBe(
        'tool.writing.conf.example/awaited condition met\n',
      );
      expect(await kubectl.out('wait tool/awaited --for=jsonpath={.spec.size}=1 --timeout=5s')).toBe(
        'tool.writing.conf.example/awaited condition met\n',
      );
      const late = await kubectl.run('wait tool/awaited --for=condition=Broken --timeout=1s');
      expect([late.code, late.stderr]).toEqual([1, 'error: timed out waiting for the condition on tools/awaited\n']);
      expect(await kubectl.out('wait crd/tools.writing.conf.example --for=condition=Established --timeout=5s')).toBe(
        'customresourcedefinition.apiextensions.k8s.io/tools.writing.conf.example condition met\n',
      );
      const waiting = kubectl.run('wait tool/awaited --for=delete --timeout=10s');
      await kubectl.out('delete tool awaited');
      expect((await waiting).code).toBe(0);
    });
  },
  { missing: kubectlMissing },
);
