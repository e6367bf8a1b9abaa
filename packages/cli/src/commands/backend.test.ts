import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { optionsFrom } from '@klutch/backend';
import { renderKubeconfig } from '@klutch/kube';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { klutch, runKlutch, scratchFolder } from '../testing/run-klutch.ts';

/** What tests look at in a manifest. */
interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly template?: { readonly spec: { readonly containers: readonly object[] } };
    readonly ports?: readonly object[];
    readonly ingress?: readonly object[];
  };
}

/** A port that nobody listens on, or on which this test does. */
async function port(isBusy: boolean): Promise<number> {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  onTestFinished(() => void occupant.close());
  const { port } = occupant.address() as AddressInfo;
  if (!isBusy) {
    occupant.close();
    await once(occupant, 'close');
  }
  return port;
}

async function unreachable(): Promise<string> {
  const file = join(await scratchFolder(), 'config');
  await writeFile(file, renderKubeconfig({ server: `https://127.0.0.1:${await port(false)}`, user: { token: 'x' } }));
  return file;
}

/** Flags with which a backend starts. */
async function flags(): Promise<string[]> {
  return [
    `--kubeconfig=${await unreachable()}`,
    '--external-url=http://127.0.0.1:8080',
    `--oidc-issuer-url=http://127.0.0.1:${await port(false)}`,
    '--oidc-issuer-client-id=klutch',
    '--allow-all-users',
    '--operations-address=127.0.0.1:0',
    '--listen-address=127.0.0.1:0',
  ];
}

const secrets = { OIDC_CLIENT_SECRET: 'hunter2', COOKIE_SIGNING_KEY: randomBytes(32).toString('base64') };
const flagsIn = (text: string) => [...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => name ?? '');

describe('klutch backend --help', () => {
  it('has groups of flags with their defaults', async () => {
    const { code, out, err } = await klutch('backend', '--help');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    const headings = [...out.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(
      expect.arrayContaining(['Control plane', 'Web server', 'Login', 'Who may bind', 'Replicas', 'Logs', 'Commands']),
    );
    const lines = out.split('\n').filter((line) => /^ {2}(-v, )?--/.test(line));
    expect(lines.filter((line) => !/\(default: .*\)|\(required.*\)|as in Go components/.test(line))).toEqual([]);
  });

  it('names all flags that there are', async () => {
    const { out } = await klutch('backend', '--help');
    const source = await readFile(new URL('../../../backend/src/process/flags.ts', import.meta.url), 'utf8');
    const known = /const known = \{(.*?)\n\} as const/s.exec(source)?.[1] ?? '';
    const names = [...known.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, name]) => name ?? '');
    const hidden = ['v', 'vmodule', 'listen-ip', 'listen-port', 'testing-auto-select'];
    const ofGoLogs = names.filter((name) => name.startsWith('log'));

    expect(names).toContain('tenant-groups');
    expect(flagsIn(out)).toEqual(
      expect.arrayContaining(names.filter((name) => ![...hidden, ...ofGoLogs].includes(name))),
    );
  });

  it('names defaults that are true', async () => {
    const { out } = await klutch('backend', '--help');
    const defaultOf = (flag: string) => new RegExp(`--${flag} .*default: (?:.*else )?(.*)\\)`).exec(out)?.[1];
    const { options } = await optionsFrom((await flags()).slice(0, -2), secrets, '1.0.0');

    expect(options).toMatchObject({
      namespace: defaultOf('namespace'),
      prettyName: defaultOf('pretty-name'),
      namespacePrefix: defaultOf('namespace-prefix'),
      consumerScope: defaultOf('consumer-scope'),
      isolation: defaultOf('cluster-scoped-isolation'),
      lease: { name: defaultOf('lease-name') },
      credentials: { lifetimeSeconds: 7 * 86_400, graceSeconds: 3_600 },
      quotas: {
        clustersPerTenant: Number(defaultOf('max-clusters-per-tenant')),
        namespacesPerCluster: Number(defaultOf('max-namespaces-per-cluster')),
        objectsPerNamespace: Number(defaultOf('max-objects-per-namespace')),
      },
      web: {
        limits: {
          perSubject: Number(defaultOf('requests-per-minute')),
          perAddress: Number(defaultOf('requests-per-minute-per-address')),
        },
        policy: { groupsClaim: defaultOf('groups-claim'), machines: { scope: defaultOf('machine-scope') } },
        issuer: { scopes: defaultOf('oidc-scopes')?.split(',') },
      },
    });
    expect([defaultOf('token-lifetime'), defaultOf('token-grace')]).toEqual(['7d', '1h']);
    expect(`${options.listen.host}:${options.listen.port}`).toBe(defaultOf('listen-address'));
    expect(`${options.operations.host}:${options.operations.port}`).toBe(defaultOf('operations-address'));
  });
});

describe('klutch backend', () => {
  it.each<[string[], string]>([
    [['--lease-nam=x'], "Error: Unknown option '--lease-nam=x'\n(Did you mean --lease-name?)\n"],
    [['stray'], "Error: Too many arguments for 'backend'."],
    [['--tls-cert-file=x', '--external-url=x'], 'Error: --external-url must be an https URL'],
    [['-control-plane-mode=true', '--tls-cert-file=x'], 'Error: --tls-key-file is missing: --tls-cert-file needs it. '],
    [['--control-plane-mode', '--token-lifetime=1s'], 'Error: --token-lifetime must be a time of at least 10m'],
    [[], 'Error: --external-url is required: '],
  ])('BE-61 says what is wrong with %j', async (args, text) => {
    const { code, out, err } = await klutch('backend', ...args);

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(text);
    expect(err).toMatch(/Try `klutch backend --help`\.\n$/);
  });

  it.each(['--listen-address', '--operations-address'])('says that the port of %s is busy', async (flag) => {
    const busy = await port(true);
    const args = [...(await flags()).filter((arg) => !arg.startsWith(flag)), `${flag}=127.0.0.1:${busy}`];

    const backend = runKlutch(['backend', ...args], secrets);

    expect(await backend.ended()).toBe(6);
    expect(backend.err()).toContain(`Error: Another process listens on 127.0.0.1:${busy}.`);
    expect(backend.err()).toContain(`choose another address with ${flag}`);
  });

  it('starts without its control plane and its issuer, says so, and ends when asked to', async () => {
    const backend = runKlutch(['backend', ...(await flags())], secrets);
    await backend.says(/"msg":"backend ready"/);
    await backend.says(/request for the lease failed/);
    const [, operations, url] =
      /"operations":"([^"]+)","url":"([^"]+)","msg":"backend ready"/.exec(backend.err()) ?? [];

    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${operations}/readyz`)).status).toBe(500);
    backend.process.kill('SIGTERM');

    expect(await backend.ended()).toBe(0);
    expect(backend.err()).not.toMatch(/^ +at /m);
    expect(backend.err()).not.toContain('hunter2');
  });

  it('S-17 warns of secrets on its command line, without quoting them', async () => {
    const args = [...(await flags()), '--oidc-issuer-client-secret=hunter2'];
    const backend = runKlutch(['backend', ...args], { COOKIE_SIGNING_KEY: secrets.COOKIE_SIGNING_KEY });

    await backend.says(/--oidc-issuer-client-secret can be read by everybody/);

    backend.process.kill('SIGTERM');
    expect(await backend.ended()).toBe(0);
    expect(backend.err()).not.toContain('hunter2');
  });
});

describe('klutch backend manifests', () => {
  const template = `
apiVersion: example-backend.klutch.anynines.com/v1alpha1
kind: APIServiceExportTemplate
metadata: {name: widgets, namespace: default}
spec:
  APIServiceSelector: {group: example.org, resource: widgets}
  permissionClaims: [{resource: secrets, version: v1, selector: {owner: Provider}}]
`;

  it('prints manifests for the templates in files, without any cluster', async () => {
    const file = join(await scratchFolder(), 'templates.yaml');
    await writeFile(file, `${template}---\nkind: Namespace\n`);

    const { code, out, err } = await klutch(
      'backend',
      'manifests',
      '--template',
      file,
      '-n',
      'ops',
      '--',
      '--oidc-issuer-url=https://i',
    );

    expect(code).toBe(0);
    expect([...out.matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind)).toEqual([
      'Namespace',
      'ServiceAccount',
      ...Array.from({ length: 3 }, () => ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']).flat(),
      'ClusterRole',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'Deployment',
      'Service',
      'NetworkPolicy',
    ]);
    expect(out).toMatch(/- example\.org\n\s+resources:\n\s+- widgets/);
    expect(out).toContain('--oidc-client-secret-file=/etc/klutch/oidc-client-secret');
    const roles = out.split('\n---\n').filter((text) => /^kind: (Cluster)?Role$/m.test(text));
    expect(roles).toHaveLength(3);
    for (const role of roles) expect(role).not.toContain('*');
    expect(err).toContain('widgets.example.org');
    expect(err).toContain('Secret ops/klutch-backend');
  });

  it('keeps health and metrics apart from what users reach, in its manifests', async () => {
    const file = join(await scratchFolder(), 'templates.yaml');
    await writeFile(file, template);

    const { out } = await klutch('backend', 'manifests', '--template', file, '--', '--tls-cert-file=x');

    const manifests = parseAllDocuments(out).map((document) => document.toJS() as Manifest);
    const [container] = manifests.find(({ kind }) => kind === 'Deployment')?.spec.template?.spec.containers ?? [];
    expect(container).toMatchObject({
      args: expect.arrayContaining(['--listen-address=0.0.0.0:8080', '--operations-address=0.0.0.0:8081']),
      readinessProbe: { httpGet: { path: '/readyz', port: 'operations' } },
      livenessProbe: { httpGet: { path: '/livez', port: 'operations' } },
    });
    expect(manifests.find(({ kind }) => kind === 'Service')?.spec.ports).toMatchObject([{ port: 8080 }]);
    expect(manifests.find(({ kind }) => kind === 'NetworkPolicy')?.spec.ingress).toEqual([
      { ports: [{ protocol: 'TCP', port: 8080 }] },
      {
        ports: [{ protocol: 'TCP', port: 8081 }],
        from: [{ namespaceSelector: { matchLabels: { 'klutch.anynines.com/may-scrape': 'true' } } }],
      },
    ]);
  });

  it.each<[string[], string]>([
    [['--template', '/not/there'], 'Error: The file /not/there of --template does not exist.'],
    [['--', '--oidc-issuer-client-secret=hunter2'], 'Error: --oidc-issuer-client-secret would put a secret into'],
  ])('says what is wrong with %j', async (args, text) => {
    const { code, err } = await klutch('backend', 'manifests', ...args);

    expect(code).toBe(2);
    expect(err).toContain(text);
    expect(err).not.toContain('hunter2');
  });

  it('knows the flags of the backend', async () => {
    const file = join(await scratchFolder(), 'templates.yaml');
    await writeFile(file, template);

    const { code, err } = await klutch('backend', 'manifests', '--template', file, '--', '--no-such-flag');

    expect(code).toBe(2);
    expect(err).toContain("Unknown option '--no-such-flag'");
  });
});
