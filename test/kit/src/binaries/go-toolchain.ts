import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether this machine can build Go programs, and if not, why. */
export type GoToolchain =
  | { readonly usable: true; readonly version: string }
  | { readonly usable: false; readonly reason: string };

/** Looks for `go` in the PATH of `env` and checks that it is not older than `minimum` (for example `1.25`). */
export async function findGo(minimum: string, env: NodeJS.ProcessEnv): Promise<GoToolchain> {
  try {
    const { stdout } = await promisify(execFile)('go', ['version'], { env });
    return judgeGo(stdout, minimum);
  } catch {
    return { usable: false, reason: `Go ${minimum} or later is not installed` };
  }
}

/** Reads the answer of `go version`. A development build has no number and is taken as new enough. */
export function judgeGo(answer: string, minimum: string): GoToolchain {
  const version = /go(\d+)\.(\d+)(\S*)/.exec(answer);
  if (version === null) return { usable: true, version: answer.trim() };
  const found = `${version[1]}.${version[2]}${version[3]}`;
  const [wantedMajor = 0, wantedMinor = 0] = minimum.split('.').map(Number);
  const major = Number(version[1]);
  const isNewEnough = major > wantedMajor || (major === wantedMajor && Number(version[2]) >= wantedMinor);
  if (isNewEnough) return { usable: true, version: found };
  return { usable: false, reason: `Go ${found} is installed, but ${minimum} or later is needed` };
}
