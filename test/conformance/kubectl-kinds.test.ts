import { eventually } from '@klutch/kit';
import { afterAll, expect } from 'vitest';
import { type Kubectl, kubectlMissing, kubectlOn } from './kubectl.ts';
import { configMap } from './objects.ts';
import { inNamespace } from './paths.ts';
import { conformance } from './suite.ts';

const namespace = 'conf-kubectl-kinds';
const pruned = 'conf-kubectl-pruned';

/** What kubectl makes without a manifest, and what it says then. */
const creations: readonly (readonly [line: string, said: string])[] = [
  ['create deployment web --image=nginx', 'deployment.apps/web created'],
  ['create job once --image=busybox -- true', 'job.batch/once created'],
  ['create cronjob often --image=busybox --schedule=@hourly -- true', 'cronjob.batch/often created'],
  ['create ingress web --rule=example.org/*=web:80', 'ingress.networking.k8s.io/web created'],
  ['create quota few --hard=pods=3,count/jobs.batch=1', 'resourcequota/few created'],
  ['create pdb calm --selector=app=web --min-available=1', 'poddisruptionbudget.policy/calm created'],
  ['create priorityclass conf-kubectl-kinds --value=5', 'priorityclass.scheduling.k8s.io/conf-kubectl-kinds created'],
  ['create service clusterip web --tcp=80:8080', 'service/web created'],
];

conformance(
  'kubectl, built-in kinds',
  ({ check, prepare }) => {
    let kubectl: Kubectl;
    prepare(async (server) => {
      await server.createNamespace(namespace);
      await server.createNamespace(pruned);
      kubectl = await kubectlOn(server, namespace);
    });
    afterAll(() => kubectl?.close());

    check('create makes objects of built-in kinds from words', async ({ admin }) => {
      for (const [line, said] of creations) expect(await kubectl.out(line)).toBe(`${said}\n`);

      const { body: job } = await admin.get(inNamespace('batch/v1/jobs', namespace)('once'));
      expect(job.spec).toMatchObject({
        template: {
          spec: { containers: [{ name: 'once', image: 'busybox', command: ['true'] }], restartPolicy: 'Never' },
        },
      });
      const { body: ingress } = await admin.get(inNamespace('networking.k8s.io/v1/ingresses', namespace)('web'));
      expect(ingress.spec).toMatchObject({
        rules: [
          {
            host: 'example.org',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
            },
          },
        ],
      });
    });

    check('quotas count objects of built-in kinds', async ({ admin }) => {
      const used = async () => {
        const { body } = await admin.get(inNamespace('v1/resourcequotas', namespace)('few'));
        return (body.status['used'] as Record<string, string> | undefined)?.['count/jobs.batch'] === '1';
      };
      await eventually(used, { what: 'the quota counts the job' });
      const { code, stderr } = await kubectl.run('create job twice --image=busybox');

      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('exceeded quota: few, requested: count/jobs.batch=1'),
      ]);
    });

    check('get knows built-in kinds by their short names', async () => {
      for (const kinds of ['nodes,sts,pvc,rs,ds', 'jobs,cj,ing,pdb,hpa', 'sc,pv,quota,limits,rc', 'all']) {
        expect(await kubectl.run(`get ${kinds}`)).toMatchObject({ code: 0 });
      }
      expect(await kubectl.out('get cj,ing,pdb -o name')).toBe(
        'cronjob.batch/often\ningress.networking.k8s.io/web\npoddisruptionbudget.policy/calm\n',
      );
    });

    check('explain tells about built-in kinds', async () => {
      expect(await kubectl.out('explain sts.spec.podManagementPolicy')).toMatch(
        /^GROUP: +apps\nKIND: +StatefulSet\nVERSION: +v1\n\nFIELD: podManagementPolicy <string>\nENUM:\n +OrderedReady\n/,
      );
      expect(await kubectl.out('explain cronjob.spec --recursive')).toMatch(
        /\n {2}jobTemplate\t<JobTemplateSpec> -required-\n {4}metadata\t<ObjectMeta>\n {6}annotations\t<map\[string\]string>\n/,
      );
    });

    check('apply --prune removes what is left out', async ({ admin }) => {
      const labels = { part: 'pruned' };
      const items = [
        configMap('stays', { a: '1' }, { labels, namespace: pruned }),
        configMap('goes', { a: '1' }, { labels, namespace: pruned }),
      ];
      const list = (kept: readonly object[]) => ({ apiVersion: 'v1', kind: 'List', items: kept });
      await kubectl.out(`apply --namespace=${pruned} --prune -l part=pruned -f -`, list(items));

      const said = await kubectl.out(
        `apply --namespace=${pruned} --prune -l part=pruned -f -`,
        list(items.slice(0, 1)),
      );

      expect(said).toBe('configmap/stays unchanged\nconfigmap/goes pruned\n');
      const gone = async () => (await admin.get(inNamespace('v1/configmaps', pruned)('goes'))).status === 404;
      await eventually(gone, { what: 'the config map is pruned' });
    });

    check('apply changes lists of built-in kinds item by item', async ({ admin }) => {
      const set = (env: readonly object[]) => ({
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db' },
        spec: {
          serviceName: 'db',
          selector: { matchLabels: { app: 'db' } },
          template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'c', image: 'i', env }] } },
        },
      });
      const one = { name: 'ONE', value: '1' };
      const two = { name: 'TWO', value: '2' };
      await kubectl.out('apply -f -', set([one]));
      await admin.patch('json', inNamespace('apps/v1/statefulsets', namespace)('db'), [
        { op: 'add', path: '/spec/template/spec/containers/0/env/-', value: two },
      ]);

      await kubectl.out('apply -f -', set([{ ...one, value: 'first' }]));

      const { body } = await admin.get(inNamespace('apps/v1/statefulsets', namespace)('db'));
      expect(body.spec).toMatchObject({
        template: { spec: { containers: [{ env: [{ name: 'ONE', value: 'first' }, two] }] } },
      });
    });
  },
  { missing: kubectlMissing },
);
