import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@klutch/kit';
import type { Server } from './server.ts';

const program = 'kubectl';

/** What one call of kubectl printed. */
interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of one call. */
interface RunOptions {
  /** A string as it is; anything else as JSON. */
  readonly stdin?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/** kubectl on one server, as its administrator. */
export interface Kubectl {
  /** A folder for manifests and scripts; it goes with {@link close}. */
  readonly folder: string;
  /** @param line words between blanks; no word can hold one */
  run(line: string, options?: RunOptions): Promise<Run>;
  /** Like {@link run}: returns what was printed, and throws unless that went well. */
  out(line: string, stdin?: unknown): Promise<string>;
  /** Lets a call print line by line until it has printed enough, then ends it. */
  follow(line: string, enough: (lines: readonly string[]) => boolean | Promise<boolean>): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Why the checks with kubectl cannot run on this machine, if they cannot. */
export const kubectlMissing =
  spawnSync(program, ['version', '--client']).status === 0 ? undefined : 'kubectl is not installed';

/** Runs beside the server, which may live in this very process: nothing here blocks. */
export async function kubectlOn(server: Pick<Server, 'kubeconfig'>, namespace: string): Promise<Kubectl> {
  const folder = await mkdtemp(join(tmpdir(), 'klutch-kubectl-'));
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, await server.kubeconfig(), { mode: 0o600 });
  const access = ['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'cache'), '--namespace', namespace];

  const start = (line: string, env: RunOptions['env'] = {}) =>
    spawn(program, [...access, ...line.split(' ')], {
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      stdio: 'pipe',
    });
  const run: Kubectl['run'] = async (line, { stdin, env } = {}) => {
    const child = start(line, env);
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin === undefined || typeof stdin === 'string' ? stdin : JSON.stringify(stdin));
    const [stdout, stderr, [code]] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { code, stdout: textOf(stdout), stderr: withoutLog(textOf(stderr)) };
  };

  return {
    folder,
    run,
    out: async (line, stdin) => {
      const { code, stdout, stderr } = await run(line, { stdin });
      if (code !== 0) throw new Error(`kubectl ${line}: ${stderr}`);
      return stdout;
    },
    follow: async (line, enough) => {
      const child = start(line);
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const lines = () => text.split('\n').slice(0, -1);
      const closed = once(child, 'close');
      try {
        await eventually(() => enough(lines()), { what: `kubectl ${line} prints enough` });
        return lines();
      } finally {
        child.kill();
        await closed;
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString();
}

/**
 * What kubectl tells its user, without what the libraries in it log. When a watch runs into its deadline, it depends on
 * chance whether they log that: more often over HTTP/1.1 than over HTTP/2, whichever the server.
 */
function withoutLog(text: string): string {
  return text.replaceAll(/^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} .*\n/gm, '');
}

/** Output in which ages and the width of columns do not matter. */
export function steady(text: string): string {
  return text
    .replaceAll(/\b\d+(ms|s|m)\b/g, '<age>')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ +$/gm, '');
}
