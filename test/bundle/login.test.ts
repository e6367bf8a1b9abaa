import { readEnrolment } from '@klutch/api';
import { type Namespace, Namespaces, type Secret } from '@klutch/kube';
import { confirmDevice, logIn } from '@klutch/sandbox';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type CommandRun, runCommand } from '../../packages/cli/src/testing/run-in-process.ts';
import { openProvider, type Provider, user } from './scene.ts';

/** Begins a login for a bundle, where no app cluster can be reached. */
function begin({ url, apis: [api] }: Provider, ...flags: readonly string[]): CommandRun {
  return runCommand(['bind', url, '--bundle', '--api', api.name, '--kubeconfig', '/nowhere', ...flags]);
}

function secretIn(file: string): Secret {
  const objects = parseAllDocuments(file).map((document) => document.toJS() as Secret);
  const [secret, ...others] = objects.filter(({ kind }) => kind === 'Secret');
  if (secret === undefined || others.length > 0) throw new Error('A bundle has one Secret.');
  return secret;
}

/** Namespaces of app clusters. */
async function registered({ controlPlane }: Provider): Promise<readonly Namespace[]> {
  const labelSelector = 'klutch.anynines.com/app-cluster';
  return (await controlPlane.admin.resource(Namespaces).list({ labelSelector })).items;
}

describe('a login for a bundle', () => {
  it('goes with a browser, with a code and as a machine, without an app cluster and without a credential', async () => {
    const provider = await openProvider('embedded');
    const browser = begin(provider, '--no-browser');
    const [address] = await browser.says(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/);
    await logIn({ url: address, user });
    const device = begin(provider, '--device-code');
    const [, url = ''] = await device.says(/compare the code [A-Z]{4}-[A-Z]{4}:\s+(http:\/\/\S+)/);
    await confirmDevice({ url, user });
    const codes = [await browser.ended(), await device.ended()];

    expect({ codes, err: `${browser.err()}${device.err()}` }).toMatchObject({ codes: [0, 0] });
    for (const file of [browser.out(), device.out(), await provider.bundle()]) {
      const { enrolment } = readEnrolment(secretIn(file));
      expect(enrolment?.backendUrl).toBe(provider.url);
      expect((enrolment?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(86_000_000);
      expect(file).not.toMatch(/kind: Config|clusters:|users:/);
      expect(file.split('\n').slice(0, 12).join('\n')).toContain('can be exchanged for a credential until');
    }
    expect(await registered(provider)).toEqual([]);
  }, 120_000);

  it('takes the lifetime that is asked for, within a week', async () => {
    const provider = await openProvider('embedded');

    const file = await provider.bundle('--bundle-lifetime', '2h');
    const { enrolment } = readEnrolment(secretIn(file));
    const hours = ((enrolment?.expiresAt.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2);

    const { code, err } = await provider.run('--bundle-lifetime', '169h');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('from 1m to 168h') });
  }, 120_000);
});

describe('a bundle', () => {
  it.each([
    ['--dry-run'],
    ['--wait'],
    ['--downgrade-konnector'],
    ['-o', 'table'],
    ['--insecure-skip-backend-tls-verify'],
  ])('is not made with %s', async (...flags) => {
    const command = runCommand(['bind', 'https://klutch.example/export', '--bundle', ...flags]);

    expect(await command.ended()).toBe(2);
    expect(command.err()).toContain('it cannot be combined with');
  });

  it.each([['--bundle-lifetime', '2h'], ['--on-unbind', 'Keep'], ['--no-guard']])(
    'has %s to itself',
    async (...flags) => {
      const command = runCommand(['bind', 'https://klutch.example/export', ...flags]);

      expect(await command.ended()).toBe(2);
      expect(command.err()).toContain(`${flags[0]} belongs to --bundle.`);
    },
  );
});
