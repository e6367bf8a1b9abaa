import { startCrossplane, startPlane } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../packages/cli/src/testing/run-klutch.ts';
import { installCrd, clusterOf } from '../konnector/clusters.ts';
import { composedKind } from '../crossplane/composed-crds.ts';
import { commandsOf } from './commands.ts';
import { openShell } from './shell.ts';

describeReal(
  'the guide of the catalogue',
  () => {
    it('changes a plan, retires it, adds a service and a vendor API', async () => {
      const plane = await startPlane();
      await startCrossplane({ plane });
      const cluster = await clusterOf({
        url: plane.url,
        caCertificate: plane.pki.certificate,
        kubeconfig: async () => plane.admin.kubeconfig,
        stop: () => plane.stop(),
      });
      onTestFinished(() => cluster.close());
      for (const [group, version] of [
        ['kubernetes.crossplane.io', 'v1alpha1'],
        ['dataservices.anynines.com', 'v1'],
      ] as const) {
        await installCrd(cluster.admin, composedKind(group, version, 'ProviderConfig'));
      }
      const shell = await openShell(await scratchFolder(), plane.admin.kubeconfigPath, new Map(), {});
      const printed = new Map<string, string>();

      for (const { section, text } of await commandsOf('docs/guides/catalogue.md')) {
        printed.set(section, `${printed.get(section) ?? ''}${await shell.run(text)}`);
      }

      expect(printed.get('Change a plan')).toMatch(
        /PostgresqlInstance team-a\/orders of no tenant: .* changes in .*memory/,
      );
      expect(printed.get('Change a plan')).toContain('volumeSize: "10Gi" -> "100Gi"');
      expect(printed.get('Retire a plan')).toMatch(/team-a\/orders .*: It keeps what it has and can be edited/);
      expect(printed.get('Add a service')).toContain('cache-service-broker');
      expect(printed.get('Add a vendor API')).toMatch(/Composed by aws-s3:[^]*region: eu-central-1/);
      expect(printed.get('In a pipeline')).toMatch(/files were written/);
    }, 600_000);
  },
  { needs: ['crossplane'] },
);
