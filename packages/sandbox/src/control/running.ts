import { readOwnFile } from '../state/own-file.ts';
import type { Layout } from '../state/state.ts';
import type { SandboxInfo } from '../sandbox/options.ts';

/** What a running sandbox leaves for others to find. */
export interface RunningFile {
  readonly pid: number;
  /** Where it can be asked. */
  readonly url: string;
  /** Shows that the asking user may read the file. */
  readonly token: string;
}

/** A sandbox that runs, as seen from another process. */
export interface RunningSandbox {
  readonly pid: number;
  readonly info: SandboxInfo;
  /** Asks it to end, and resolves when it has. */
  stop(signal?: AbortSignal): Promise<void>;
}

/** The sandbox that runs from this folder; undefined when none answers, whatever the file of an earlier one says. */
export async function findRunning({ running }: Layout): Promise<RunningSandbox | undefined> {
  const file = await readOwnFile<RunningFile>(running);
  if (file === undefined) return undefined;
  const ask = (method: string, path: string, signal: AbortSignal) =>
    fetch(`${file.url}${path}`, { method, headers: { authorization: `Bearer ${file.token}` }, signal });
  const answer = await ask('GET', '/', AbortSignal.timeout(30_000)).catch(() => undefined);
  // Another program may have the port by now; it does not know the token.
  if (answer?.status !== 200) return undefined;
  const info = (await answer.json()) as SandboxInfo;
  return {
    pid: file.pid,
    info,
    stop: async (signal = AbortSignal.timeout(60_000)) => {
      // Answered when everything has ended but the control server.
      await ask('POST', '/stop', signal).then((response) => response.text());
    },
  };
}
