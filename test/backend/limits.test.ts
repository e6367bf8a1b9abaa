import { expect, it } from 'vitest';
import { onOwnPlane } from './exports-world.ts';
import { openRefusalScene } from './refusals-scene.ts';

const second = () => Math.floor(Date.now() / 1000);

onOwnPlane('the limit of binds', (plane) => {
  it('BE-57 refuses what one subject asks beyond it within a minute, says when to try again, and leaves others alone', async () => {
    const scene = await openRefusalScene(plane(), { limits: { perSubject: 20, perAddress: 600 } });
    const bind = (sub: string) =>
      scene.bindAsMachine(
        { sub, client_id: 'pipeline', aud: 'klutch', scope: 'klutch/bind', iat: second(), exp: second() + 300 },
        'busy-cluster',
      );
    const answers = [];

    for (let batch = 0; batch < 10; batch += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => bind('busy')))));
    }
    const other = await bind('calm');

    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(refused).toHaveLength(80);
    for (const { headers, json } of refused) {
      const wait = Number(headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(json()).toMatchObject({ code: 'KLUTCH_RATE_LIMITED' });
    }
    expect(other.status).toBe(200);
  }, 120_000);
});
