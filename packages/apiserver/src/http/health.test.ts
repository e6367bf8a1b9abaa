import { describe, expect, it } from 'vitest';
import { healthAnswer } from './health.ts';

const answer = (path: string, query = '', canStore = true) => healthAnswer(path, new URLSearchParams(query), canStore);

describe('the health of the server', () => {
  it.each(['/livez', '/readyz', '/healthz', '/livez/ping', '/readyz/etcd', '/readyz/'])('is told at %s', (path) => {
    expect(answer(path)).toEqual({
      code: 200,
      text: 'ok',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  });

  it('is told check by check on demand', () => {
    expect(answer('/readyz', 'verbose')?.text).toBe('[+]ping ok\n[+]log ok\n[+]etcd ok\nreadyz check passed\n');
  });

  it.each(['livez', 'readyz', 'healthz'])(
    'is bad at /%s when nothing can be stored, and says which check fails',
    (path) => {
      expect(answer(`/${path}`, '', false)).toMatchObject({
        code: 500,
        text: `[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n${path} check failed\n`,
      });
      expect(answer(`/${path}/etcd`, '', false)).toMatchObject({
        code: 500,
        text: 'internal server error: changes cannot be stored\n',
      });
      expect(answer(`/${path}/ping`, '', false)).toMatchObject({ code: 200, text: 'ok' });
    },
  );

  it.each(['/', '/livez/unicorn', '/livez/ping/more', '/health', '/version'])('is not told at %s', (path) => {
    expect(answer(path)).toBeUndefined();
  });
});
