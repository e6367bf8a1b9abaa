import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/cli/bin/klutch.js', import.meta.url));

/** What an operator types into. */
export interface Shell {
  /** Where the commands run, and leave their files. */
  readonly folder: string;
  /** Runs a block of commands as a shell would that stops at the first failure; throws with its output when one fails. */
  run(text: string): Promise<string>;
}

/**
 * A shell in a folder, with `klutch` and `kubectl bind` from source and `kubectl` for one cluster. Texts that stand for
 * something else in examples are replaced first.
 */
export async function openShell(
  folder: string,
  kubeconfig: string,
  replacements: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>>,
): Promise<Shell> {
  const bin = join(folder, '.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'klutch'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(join(bin, 'klutch'), 0o755);
  return {
    folder,
    run: async (text) => {
      const script = [...replacements].reduce((whole, [from, to]) => whole.replaceAll(from, to), text);
      const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          KLUTCH_SOURCE: '1',
          PATH: `${bin}:${process.env['PATH']}`,
          KUBECONFIG: kubeconfig,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err, [code]] = await Promise.all([
        child.stdout.toArray() as Promise<Buffer[]>,
        child.stderr.toArray() as Promise<Buffer[]>,
        once(child, 'close') as Promise<[number | null]>,
      ]);
      const printed = Buffer.concat([...out, ...err]).toString();
      if (code !== 0) throw new Error(`The commands ended with ${code}:\n${script}\n\n${printed}`);
      return printed;
    },
  };
}
