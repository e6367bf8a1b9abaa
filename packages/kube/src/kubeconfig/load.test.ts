import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { first } from '../auth/test-certificates.ts';
import { testFolder } from '../auth/test-folder.ts';
import { loadKubeconfig } from './load.ts';
import { kubeconfigText, lineWith, rejection } from './test-kubeconfig.ts';

/** Writes files below a new folder and yields the folder. */
async function folderWith(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await testFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** The environment that lists files of `folder` in `KUBECONFIG`. */
function listing(folder: string, ...names: string[]): NodeJS.ProcessEnv {
  return { HOME: folder, KUBECONFIG: names.map((name) => (name === '' ? '' : join(folder, name))).join(delimiter) };
}

const server = 'server: https://hub.example:6443';

describe('where loadKubeconfig looks', () => {
  it('takes the given file and nothing else', async () => {
    const folder = await folderWith({
      mine: kubeconfigText({ user: ['token: mine'] }),
      env: kubeconfigText({ user: ['token: env'] }),
      '.kube/config': kubeconfigText({ user: ['token: home'] }),
    });

    const config = await loadKubeconfig({ path: join(folder, 'mine'), env: listing(folder, 'env') });

    expect(config).toMatchObject({ auth: { token: 'mine' }, source: `context "dev" of ${join(folder, 'mine')}` });
  });

  it('takes the cluster and the user that are asked for in place of those of the context', async () => {
    const others = [
      'clusters:',
      '- name: spoke',
      '  cluster:',
      '    server: https://spoke.example:6443',
      'users:',
      '- name: joe',
      '  user:',
      '    token: of-joe',
    ].join('\n');
    const folder = await folderWith({ env: kubeconfigText(), others });
    const env = listing(folder, 'env', 'others');

    const config = await loadKubeconfig({ env, other: { cluster: 'spoke', user: 'joe' } });

    expect(config).toMatchObject({ server: 'https://spoke.example:6443', auth: { token: 'of-joe' } });
    expect(await rejection(loadKubeconfig({ env, other: { user: 'jim' } }))).toMatchObject({
      code: 'KUBE_CONFIG_INVALID',
      message: expect.stringContaining('there is no user "jim". Choose one of "jane", "joe".'),
    });
  });

  it('takes KUBECONFIG before the home folder', async () => {
    const folder = await folderWith({
      env: kubeconfigText({ user: ['token: env'] }),
      '.kube/config': kubeconfigText(),
    });

    expect((await loadKubeconfig({ env: listing(folder, 'env') })).auth).toEqual({ kind: 'token', token: 'env' });
  });

  it('takes the home folder when KUBECONFIG is not set or empty', async () => {
    const folder = await folderWith({ '.kube/config': kubeconfigText({ user: ['token: home'] }) });

    expect((await loadKubeconfig({ env: { HOME: folder } })).auth).toEqual({ kind: 'token', token: 'home' });
    expect((await loadKubeconfig({ env: { HOME: folder, KUBECONFIG: '' } })).auth).toEqual({
      kind: 'token',
      token: 'home',
    });
  });

  it('takes the service account of the pod when there is no kubeconfig, or only empty ones', async () => {
    const folder = await folderWith({ empty: '', 'sa/token': 'pod-token', 'sa/ca.crt': first.certificate });
    const pod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const serviceAccountFolder = join(folder, 'sa');

    const without = await loadKubeconfig({ env: { HOME: folder, ...pod }, serviceAccountFolder });
    const empty = await loadKubeconfig({
      env: { ...listing(folder, 'empty', 'missing'), ...pod },
      serviceAccountFolder,
    });

    expect(without.source).toBe('in-cluster');
    expect(empty.source).toBe('in-cluster');
  });

  it('does not take the service account when a context is asked for', async () => {
    const pod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const folder = await folderWith({ 'sa/token': 'pod-token' });
    const options = { env: { HOME: folder, ...pod }, serviceAccountFolder: join(folder, 'sa'), context: 'dev' };

    expect((await rejection(loadKubeconfig(options))).message).toContain('No kubeconfig found');
  });

  it('says where it looked when there is nothing', async () => {
    const folder = await testFolder();

    const error = await rejection(loadKubeconfig({ env: listing(folder, 'a', 'b') }));
    const home = await rejection(loadKubeconfig({ env: { HOME: folder } }));
    const none = await rejection(loadKubeconfig({ env: { HOME: folder, KUBECONFIG: delimiter } }));

    expect(error.code).toBe('KUBE_CONFIG_UNREADABLE');
    expect(error.message).toContain(`Looked at ${join(folder, 'a')}, ${join(folder, 'b')}.`);
    expect(home.message).toContain(join(folder, '.kube', 'config'));
    expect(none.message).toContain('KUBECONFIG, which names no file');
  });
});

/** Each row was run through client-go 0.35.4, which ends with the same server, token and errors. */
describe('merging the files of KUBECONFIG', () => {
  const complete = [
    'current-context: two',
    'clusters: [{name: c, cluster: {server: "https://two"}}]',
    'users: [{name: u, user: {token: two, as: bob}}]',
    'contexts: [{name: two, context: {cluster: c, user: u}}]',
  ].join('\n');
  const onlyEntries = [
    'clusters: [{name: c, cluster: {server: "https://one"}}]',
    'users: [{name: u, user: {token: one}}]',
  ].join('\n');
  const otherContext =
    'current-context: one\ncontexts: [{name: one, context: {cluster: c, user: u, namespace: first}}]';
  const sameContext = 'contexts: [{name: two, context: {cluster: c, namespace: sooner}}]';
  const noServer = 'clusters: [{name: c, cluster: {tls-server-name: x}}]';
  const files = {
    complete,
    onlyEntries,
    otherContext,
    sameContext,
    noServer,
    empty: '',
    nulls: 'clusters: null\nusers:\n',
  };

  const rows: [list: string[], context: string | undefined, expected: object][] = [
    [['complete'], undefined, { server: 'https://two', auth: { token: 'two' }, impersonate: { user: 'bob' } }],
    [['onlyEntries', 'complete'], undefined, { server: 'https://one', auth: { token: 'one' }, impersonate: undefined }],
    [
      ['complete', 'onlyEntries'],
      undefined,
      { server: 'https://two', auth: { token: 'two' }, impersonate: { user: 'bob' } },
    ],
    [['complete', 'otherContext'], undefined, { auth: { token: 'two' }, namespace: undefined }],
    [['otherContext', 'complete'], undefined, { auth: { token: 'two' }, namespace: 'first' }],
    [['complete', 'otherContext'], 'one', { namespace: 'first' }],
    [['sameContext', 'complete'], undefined, { auth: { kind: 'none' }, namespace: 'sooner' }],
    [['complete', 'sameContext'], undefined, { auth: { token: 'two' }, namespace: undefined }],
    [['complete', 'noServer'], undefined, { server: 'https://two', tlsServerName: undefined }],
    [['missing', 'complete'], undefined, { server: 'https://two' }],
    [['', 'complete', ''], undefined, { server: 'https://two' }],
    [['empty', 'nulls', 'complete'], undefined, { server: 'https://two' }],
    [['complete', 'complete'], undefined, { server: 'https://two' }],
  ];

  it.each(rows)('of %j with context %s gives %j', async (list, context, expected) => {
    const folder = await folderWith(files);

    expect(await loadKubeconfig({ env: listing(folder, ...list), context })).toMatchObject(expected);
  });

  it('takes nothing from a later entry of the same name, not even what the first lacks', async () => {
    const folder = await folderWith(files);

    const error = await rejection(loadKubeconfig({ env: listing(folder, 'noServer', 'complete') }));

    expect(error.message).toContain(`${join(folder, 'noServer')}, line 1, clusters[0].cluster.server: is missing`);
  });

  it('fails when one of the files is broken, even if the others suffice', async () => {
    const folder = await folderWith({ ...files, broken: 'clusters: [' });

    const error = await rejection(loadKubeconfig({ env: listing(folder, 'complete', 'broken') }));

    expect(error).toMatchObject({
      code: 'KUBE_CONFIG_UNREADABLE',
      message: expect.stringContaining(`${join(folder, 'broken')}, line 1`),
    });
  });

  it('names all files when the wanted context is in none of them', async () => {
    const folder = await folderWith(files);

    const error = await rejection(loadKubeconfig({ env: listing(folder, 'otherContext', 'complete'), context: 'x' }));

    expect(error.message).toBe(
      `${join(folder, 'otherContext')}, ${join(folder, 'complete')}: there is no context "x". Choose one of "one", "two".`,
    );
  });

  it('resolves file references against the file that holds them', async () => {
    const folder = await folderWith({
      'a/config': 'clusters: [{name: c, cluster: {server: "https://a", certificate-authority: pki/ca.crt}}]',
      'a/pki/ca.crt': first.certificate,
      'b/config': 'users: [{name: u, user: {tokenFile: token}}]',
      'b/token': 'abc',
      'c/config': 'current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]',
    });

    const config = await loadKubeconfig({ env: listing(folder, 'c/config', 'b/config', 'a/config') });

    expect(config).toMatchObject({
      ca: { from: 'file', path: join(folder, 'a/pki/ca.crt') },
      auth: { kind: 'tokenFile', path: join(folder, 'b/token') },
    });
  });
});

describe('a kubeconfig file that cannot be used', () => {
  it('is reported when it does not exist', async () => {
    const path = join(await testFolder(), 'config');

    const error = await rejection(loadKubeconfig({ path }));

    expect(error).toMatchObject({
      code: 'KUBE_CONFIG_UNREADABLE',
      message: expect.stringContaining(`${path} does not exist`),
    });
  });

  it('is reported when it is a folder, lies below a file, or is a circle of links', async () => {
    const folder = await folderWith({ file: 'x' });
    await symlink(join(folder, 'circle'), join(folder, 'circle'));
    const messages = await Promise.all(
      ['.', 'file/config', 'circle'].map(async (name) => rejection(loadKubeconfig({ path: join(folder, name) }))),
    );

    expect(messages.map(({ code }) => code)).toEqual(Array(3).fill('KUBE_CONFIG_UNREADABLE'));
    expect(messages[0]?.message).toContain(`${folder} is a folder, not a file`);
    expect(messages[1]?.message).toContain('a part of its path is a file');
    expect(messages[2]?.message).toContain('links form a circle');
  });

  it.skipIf(process.getuid?.() === 0)('is reported when this user may not read it', async () => {
    const folder = await folderWith({ config: kubeconfigText() });
    await chmod(join(folder, 'config'), 0);

    const error = await rejection(loadKubeconfig({ path: join(folder, 'config') }));

    expect(error).toMatchObject({
      code: 'KUBE_CONFIG_UNREADABLE',
      message: expect.stringContaining('permission denied'),
    });
  });

  it('is reported when it is empty, even in a pod', async () => {
    const folder = await folderWith({ config: '# nothing\n', 'sa/token': 'pod-token' });
    const env = { KUBERNETES_SERVICE_HOST: 'h', KUBERNETES_SERVICE_PORT: '1' };

    const error = await rejection(
      loadKubeconfig({ path: join(folder, 'config'), env, serviceAccountFolder: join(folder, 'sa') }),
    );

    expect(error).toMatchObject({ code: 'KUBE_CONFIG_INVALID', message: expect.stringContaining('config: is empty') });
  });

  it('is reported when it is UTF-16, as some shells write', async () => {
    const folder = await folderWith({ config: Buffer.from(`\uFEFF${kubeconfigText()}`, 'utf16le') });

    const error = await rejection(loadKubeconfig({ path: join(folder, 'config') }));

    expect(error).toMatchObject({ code: 'KUBE_CONFIG_UNREADABLE', message: expect.stringContaining('not UTF-8') });
  });

  const references: [string, string[], string[], string, string, RegExp][] = [
    [
      'missing CA',
      [server, 'certificate-authority: none'],
      [],
      'certificate-authority',
      'UNREADABLE',
      /none does not exist/,
    ],
    ['CA that is no PEM', [server, 'certificate-authority: text'], [], 'certificate-authority', 'INVALID', /PEM form/],
    ['missing token', [server], ['tokenFile: none'], 'tokenFile', 'UNREADABLE', /none does not exist/],
    ['empty token', [server], ['tokenFile: blank'], 'tokenFile', 'INVALID', /does not hold a token in one line/],
    ['folder as token', [server], ['tokenFile: .'], 'tokenFile', 'UNREADABLE', /is a folder/],
    [
      'missing certificate',
      [server],
      ['client-certificate: none', 'client-key: key'],
      'client-certificate',
      'UNREADABLE',
      /none does not exist/,
    ],
    [
      'certificate as key',
      [server],
      ['client-certificate: certificate', 'client-key: certificate'],
      'client-key',
      'INVALID',
      /not a private key/,
    ],
  ];

  it.each(references)(
    'is reported when it names a file that is wrong: %s',
    async (_, cluster, user, field, code, says) => {
      const text = kubeconfigText({ cluster, user: user.length > 0 ? user : ['{}'] });
      const folder = await folderWith({
        config: text,
        text: 'hello',
        blank: ' \n',
        key: first.key,
        certificate: first.certificate,
      });

      const error = await rejection(loadKubeconfig({ path: join(folder, 'config') }));

      expect(error.code).toBe(`KUBE_CONFIG_${code}`);
      expect(error.message).toContain(`${join(folder, 'config')}, line ${lineWith(text, `${field}:`)}, `);
      expect(error.message).toContain(`.${field}: the file ${folder}`);
      expect(error.message).toMatch(says);
    },
  );

  it('is fine when all files it names are right', async () => {
    const folder = await folderWith({
      config: kubeconfigText({
        cluster: [server, 'certificate-authority: certificate'],
        user: ['client-certificate: certificate', 'client-key: key', 'tokenFile: token'],
      }),
      token: 'abc\n',
      key: first.key,
      certificate: first.certificate,
    });

    const { auth } = await loadKubeconfig({ path: join(folder, 'config') });

    expect(auth).toMatchObject({ kind: 'certificate', header: { kind: 'tokenFile', path: join(folder, 'token') } });
  });
});
