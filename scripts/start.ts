import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTeller } from './start/teller.ts';

/**
 * Klutch at work, from nothing to a service in use: a sandbox, a login, a binding, an object that goes up to the control
 * plane, and status and credentials that come down. Ends with 0 only when all of it has happened. `--stay` leaves the
 * sandbox running afterwards, `--dir` keeps it in a folder.
 */
const { values: flags } = parseArgs({ options: { stay: { type: 'boolean' }, dir: { type: 'string' } } });
const teller = createTeller(process.stdout);
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
/** Everything has to happen within this time, on a slow machine too. */
const deadline = AbortSignal.timeout(300_000);
const signal = AbortSignal.any([stop.signal, deadline]);

const temporary = flags.dir === undefined ? await mkdtemp(join(tmpdir(), 'klutch-start-')) : undefined;
const dir = resolve(flags.dir ?? join(temporary ?? '', 'sandbox'));
const anyPorts = { controlPlane: 0, appCluster: 0, issuer: 0, backend: 0 };

teller.say('Klutch gives developers services in their own cluster, run by one control plane for all.');
teller.say('This shows it from nothing to a service in use, with a sample service on this machine.');
// From source, all of Klutch takes a moment to load; nobody should look at an empty screen meanwhile.
const { startSandbox, usualPorts } = await import('@klutch/sandbox');
const { bind } = await import('./start/bind.ts');
const { claim } = await import('./start/claim.ts');
const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const sandbox = startSandbox(
  { dir, version, ports: temporary === undefined ? usualPorts : anyPorts },
  { signal: stop.signal, onProgress: (text) => teller.note(text) },
);
try {
  await walk();
} catch (error) {
  process.exitCode = stop.signal.aborted ? 130 : 1;
  const reason = deadline.aborted
    ? 'It took more than five minutes.'
    : error instanceof Error
      ? error.message
      : String(error);
  teller.say(stop.signal.aborted ? '\nStopped.' : `\nThis did not work: ${reason}`);
} finally {
  stop.abort();
  // Already told.
  await sandbox.stopped.catch(() => undefined);
  if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
}

async function walk(): Promise<void> {
  teller.step('A control plane, an app cluster, an issuer, a backend and a konnector');
  teller.command(`klutch sandbox up${flags.dir === undefined ? '' : ` --dir ${flags.dir}`}`);
  const info = await sandbox.ready;
  teller.done('All of it runs in this one process.');
  await bind(info, teller, signal);
  await claim(info, teller, signal);
  teller.say(`\nAll of this has really happened, in ${teller.seconds()} s.`);
  if (!flags.stay) return teller.say('`npm start -- --stay` leaves it running, for kubectl and for your browser.');
  teller.say(`\nIt goes on running. In another terminal:\n\n  export KUBECONFIG=${info.kubeconfig}`);
  teller.say(`  kubectl get greetings -A\n  kubectl --context klutch-control-plane get greetings -A\n`);
  teller.say(`Log in as ${info.user.name} with password ${info.user.password}. Ctrl-C ends it.`);
  if (!stop.signal.aborted) {
    await new Promise((ended) => stop.signal.addEventListener('abort', ended, { once: true }));
  }
}
