import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { first } from '../auth/test-certificates.ts';
import { isKubeError } from '../errors/kube-error.ts';
import { parseKubeconfig } from './parse.ts';
import { base64, errorOf, kubeconfigText, parseError } from './test-kubeconfig.ts';

describe('a kubeconfig as a whole', () => {
  const wholeCases: [string, string, string, RegExp][] = [
    ['empty', '', 'KUBE_CONFIG_INVALID', /test-config: is empty/],
    ['only comments', '# nothing here\n', 'KUBE_CONFIG_INVALID', /is empty/],
    ['only a document marker', '---\n', 'KUBE_CONFIG_INVALID', /is empty/],
    ['text', 'hello', 'KUBE_CONFIG_INVALID', /line 1: must be a mapping/],
    ['list', '- a\n- b\n', 'KUBE_CONFIG_INVALID', /line 1: must be a mapping.*list/],
    ['a login page', '<html>\n<body>Sign in</body>\n</html>', 'KUBE_CONFIG_INVALID', /must be a mapping/],
    ['another kind', 'apiVersion: v1\nkind: Pod\n', 'KUBE_CONFIG_INVALID', /not a kubeconfig but "v1 Pod"/],
    ['another version', 'apiVersion: v2\nkind: Config\n', 'KUBE_CONFIG_INVALID', /not a kubeconfig but "v2 Config"/],
    ['clusters as mapping', 'clusters:\n  hub: {}\n', 'KUBE_CONFIG_INVALID', /line 1, clusters: must be a list/],
    ['nameless user', 'users:\n- user: {}\n', 'KUBE_CONFIG_INVALID', /line 2, users\[0\].name: is missing/],
    ['no context', 'clusters: [{name: a}]', 'KUBE_CONFIG_INVALID', /current-context is not set.*Add a context/],
    ['tab', 'clusters:\n- name: a\n\tcluster: {}\n', 'KUBE_CONFIG_UNREADABLE', /line 3: .*tab.*Use spaces/],
    ['open quote', 'a: b\ntoken: "hidden-value\n', 'KUBE_CONFIG_UNREADABLE', /line \d: Not valid YAML: a quote/],
    ['bad indentation', 'users:\n- name: a\n user: {}\n', 'KUBE_CONFIG_UNREADABLE', /line \d: Not valid YAML/],
    [
      'same key twice',
      'kind: Config\nkind: Config\n',
      'KUBE_CONFIG_UNREADABLE',
      /line 2: The key "kind" is given twice/,
    ],
    ['two documents', 'kind: Config\n---\nkind: Config\n', 'KUBE_CONFIG_UNREADABLE', /line 2: A second YAML document/],
    ['alias without anchor', 'kind: *k\n', 'KUBE_CONFIG_UNREADABLE', /line 1: A YAML alias/],
    ['alias inside its anchor', 'junk: &j {more: *j}\n', 'KUBE_CONFIG_UNREADABLE', /line 1: .*its own anchor/],
  ];

  it.each(wholeCases)('is refused when it is %s', (_, text, code, message) => {
    const error = parseError(text);

    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('hidden-v');
    expect(error.cause).toBeUndefined();
  });

  it.each(['clusters', 'users', 'contexts'])('is refused when two entries of %s have the same name', (list) => {
    const text = `current-context: a\n${list}:\n- name: a\n- name: b\n- name: a\n`;

    expect(parseError(text).message).toContain(`line 5, ${list}[2].name: the name "a" is given twice in ${list}`);
  });

  it('lists the contexts there are when the current one is not set, is unknown, or another unknown one is wanted', () => {
    const names = Array.from({ length: 12 }, (_, index) => `ctx-${String(index).padStart(2, '0')}`);
    const contexts = ['contexts:', ...names.map((name) => `- name: ${name}`)].join('\n');
    const parse = (text: string, context?: string) =>
      errorOf(() => parseKubeconfig(text, { source: 'test-config', trust: 'local', context })).message;

    expect(parse(contexts)).toContain('current-context is not set. Choose one of "ctx-00", "ctx-01"');
    expect(parse(contexts)).toContain('"ctx-09" and 2 more');
    expect(parse(`current-context: nope\n${contexts}`)).toContain(
      'test-config, line 1, current-context: there is no context "nope". Choose one of "ctx-00"',
    );
    expect(parse(contexts, 'gone')).toContain('test-config: there is no context "gone". Choose one of "ctx-00"');
  });

  it.each([
    [
      'aliases of aliases',
      `a: &a [x, x]\n${'bcdefghijklmnop'.replaceAll(/./g, (c, i: number) => `${c}: &${c} [${`*${'abcdefghijklmno'[i]},`.repeat(8)}]\n`)}`,
    ],
    ['very many aliases', `a: &a x\nb: [${'*a,'.repeat(50_000)}]\n`],
    ['deep nesting', '['.repeat(100_000)],
    ['deep nesting that is closed', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ])('is refused quickly when it is made to exhaust the reader: %s', (_, text) => {
    expect(parseError(text).code).toBe('KUBE_CONFIG_UNREADABLE');
  });

  it('is read in linear time however many keys a mapping has', () => {
    const text = `${kubeconfigText()}junk:\n${Array.from({ length: 60_000 }, (_, index) => `  k${index}: 1\n`).join('')}`;
    expect(parseKubeconfig(text, { source: 't', trust: 'foreign' }).namespace).toBe('team-a');
  });

  it('never shows a secret, however the text is damaged', () => {
    const secret = 'S3cr3tV4lu3';
    const text = kubeconfigText({
      cluster: ['server: https://hub.example:6443', `certificate-authority-data: ${base64(first.certificate)}`],
      user: [`token: ${secret}`, `password: "${secret}"`, 'exec:', '  command: a', '  args:', `  - --x=${secret}`],
    });
    const damage = fc.tuple(
      fc.nat(text.length),
      fc.nat(3),
      fc.constantFrom('', '"', "'", '\t', '\n', ': ', '- ', '{', '[', ']', '*', '&a ', '!', '|\n', '%', '\u0000'),
    );

    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        const damaged = damages.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), text);
        try {
          parseKubeconfig(damaged, { source: 'test-config', trust: 'local' });
        } catch (error) {
          expect(isKubeError(error)).toBe(true);
          expect(String(error)).not.toContain('S3cr3t');
          expect(String((error as Error).cause)).not.toContain('S3cr3t');
        }
      }),
      { numRuns: 500 },
    );
  });
});
