import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

import { KitError } from '../kit-error.ts';
import { attachPlane } from '../plane/access.ts';
import type { PlaneAccess } from '../plane/plane.ts';
import type { SharedPlaneAnswer } from './shared-plane-host.ts';

/** Gets access to the plane of that name of a `SharedPlaneHost`, which starts it now if nobody asked before. */
export async function askForSharedPlane(socketPath: string, name = ''): Promise<PlaneAccess> {
  // No deadline: the plane may have to be started first, which has one of its own.
  const request = get({ socketPath, path: `/${name}`, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await response.toArray()).toString();
  const answer = JSON.parse(text) as SharedPlaneAnswer;
  if ('error' in answer) throw new KitError('KLUTCH_KIT_START_FAILED', answer.error);
  return attachPlane(answer.dir);
}
