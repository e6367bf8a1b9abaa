import { spawn } from 'node:child_process';

/** A program that opens an address, and its arguments. */
export interface BrowserCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Pure: how to open an address in the browser of this desktop; undefined where there is none, as on a server or over ssh.
 * `BROWSER` names another program, as many tools have it.
 */
export function browserCommand(
  url: string,
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): BrowserCommand | undefined {
  const isRemote = Boolean(env['SSH_CONNECTION'] ?? env['SSH_TTY']);
  if (env['BROWSER']) return { command: env['BROWSER'], args: [url] };
  if (isRemote) return undefined;
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` belongs to the shell, to which `&` in an address means something else.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { command: 'xdg-open', args: [url] } : undefined;
}

/** Starts it, and resolves to whether that worked. It outlives the command; nothing of it reaches the terminal. */
export async function openBrowser({ command, args }: BrowserCommand): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
