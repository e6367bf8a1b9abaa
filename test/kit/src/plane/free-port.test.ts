import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';

import { freePort } from './free-port.ts';

it('a free port can be listened on', async () => {
  const server = createServer();
  server.listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  expect(server.listening).toBe(true);
  server.close();
  await once(server, 'close');
});
