import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ApiServer, startApiServer } from '@klutch/apiserver';
import type { Terminal } from '../../terminal/terminal.ts';
import { requireOwnFile, writeOwnFile } from './kubeconfig-file.ts';

export interface ServeOptions {
  /** Default: memory only. */
  readonly dir?: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Default: in `dir`, or in a temporary folder that goes with the server. */
  readonly kubeconfig?: string;
}

/** Runs an API server until the user interrupts it. Rejects when it cannot start, having left nothing behind. */
export async function serve({ dir, port, kubeconfig }: ServeOptions, terminal: Terminal): Promise<void> {
  const interrupted = terminal.untilInterrupted();
  const folder = dir === undefined ? undefined : resolve(dir);
  const chosen = kubeconfig ?? (folder && join(folder, 'kubeconfig'));
  if (chosen !== undefined) await requireOwnFile(resolve(chosen));
  const onProblem = (problem: unknown) => terminal.tell(`Problem: ${textOf(problem)}`);
  const server = await startApiServer({ dir: folder, port, onProblem });
  const temporary = chosen === undefined ? await mkdtemp(join(tmpdir(), 'klutch-')) : undefined;
  try {
    const file = resolve(chosen ?? join(temporary ?? '', 'kubeconfig'));
    await writeOwnFile(file, server.kubeconfig());
    for (const line of greeting(server, folder, file)) terminal.tell(line);
    if (!interrupted.aborted) await once(interrupted, 'abort');
    terminal.tell('Stopping.');
  } finally {
    await server.stop();
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

function greeting({ url }: ApiServer, folder: string | undefined, kubeconfig: string): readonly string[] {
  const kept = folder === undefined ? 'in memory only and gone when it ends' : `in ${folder}`;
  return [
    `The API server listens on ${url}. Objects are kept ${kept}.`,
    `Credentials of an administrator are in ${kubeconfig}. Try:`,
    `  kubectl --kubeconfig ${shellWord(kubeconfig)} get namespaces`,
    'Ctrl-C ends it.',
  ];
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function textOf(problem: unknown): string {
  if (problem instanceof Error) return problem.message;
  return typeof problem === 'string' ? problem : JSON.stringify(problem);
}
