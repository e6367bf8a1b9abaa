import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { logIn, type SandboxInfo } from '@klutch/sandbox';
import type { Teller } from './teller.ts';

const klutch = fileURLToPath(new URL('../../packages/cli/bin/klutch.js', import.meta.url));

/** Binds the sample API with the real command, and logs in at the page whose address it prints. */
export async function bind(info: SandboxInfo, teller: Teller, signal: AbortSignal): Promise<void> {
  const { provider, api, kubeconfig, user } = info;
  const args = ['bind', provider, '--api', api, '--accept-claims', 'all', '--skip-konnector', '--wait'];
  teller.step('Connect the app cluster: log in, and bind an API');
  teller.command(`export KUBECONFIG=${kubeconfig}`);
  teller.command(`klutch ${args.join(' ')}`);
  const child = spawn(process.execPath, [klutch, ...args, '--no-browser'], {
    env: { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let login: Promise<void> | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() !== '') teller.note(line.trimEnd());
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/authorize\S*/.exec(line) ?? [];
      if (url === undefined || login !== undefined) return;
      teller.note(
        `A person would open it and log in as ${user.name} with password ${user.password}; here, this script does.`,
      );
      login = logIn({ url, user, signal });
      // The command would wait for somebody to try again.
      login.catch(() => child.kill());
    });
  }
  const [code] = await closed;
  if (code === 0) return teller.done(`${api} is bound.`);
  // A login that failed explains why the command was ended.
  await login;
  throw new Error(`klutch bind ended with ${code ?? 'a signal'}.`);
}
