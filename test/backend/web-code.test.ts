import { createHash, randomBytes } from 'node:crypto';
import { kubeconfigOf, parseBindingResponse } from '@klutch/api';
import { KubeError } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { kubeconfigOf as scriptedKubeconfig } from './scripted-control-plane.ts';
import { authorizePath, login, startWebWorld, submit } from './web-world.ts';

const widgets = 'widgets.example.org';

describe('a code instead of the credential', () => {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');

  it('S-10 keeps the credential out of every URL, and is redeemed by the command that asked', async () => {
    const world = await startWebWorld();
    const browser = world.browser();

    const { location } = await submit(browser, await login(browser, { x: challenge }), [widgets]);
    expect(location?.searchParams.has('response')).toBe(false);
    expect(location?.searchParams.get('sid')).toBe('sid123');
    expect(location?.href.length).toBeLessThan(2_000);
    expect(world.plane.provisioned).toEqual([]);

    const answer = await world.post('/redeem', { code: location?.searchParams.get('code'), verifier });

    expect(answer.status).toBe(200);
    const response = parseBindingResponse(answer.text);
    expect(response.authentication?.oauth2CodeGrant?.sid).toBe('sid123');
    expect(kubeconfigOf(response)).toBe(scriptedKubeconfig('cluster-cid456'));
    expect(world.plane.provisioned).toHaveLength(1);
  });

  it('S-10 is worth nothing without the verifier, and trying does not use it up', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const { location } = await submit(browser, await login(browser, { x: challenge }), [widgets]);
    const code = location?.searchParams.get('code');

    const wrong = await world.post('/redeem', { code, verifier: challenge });
    const right = await world.post('/redeem', { code, verifier });
    const again = await world.post('/redeem', { code, verifier });

    expect([wrong.status, right.status, again.status]).toEqual([400, 200, 400]);
    expect(again.text).not.toContain('kubeconfig');
  });

  it('can be redeemed later when the control plane did not answer', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const { location } = await submit(browser, await login(browser, { x: challenge }), [widgets]);
    const code = location?.searchParams.get('code');

    world.plane.failure = new KubeError('KUBE_UNREACHABLE', 'connection refused');
    expect((await world.post('/redeem', { code, verifier })).status).toBe(503);
    world.plane.failure = undefined;

    expect((await world.post('/redeem', { code, verifier })).status).toBe(200);
  });

  it('S-10 is over after two minutes, and no other ticket can stand in for it', async () => {
    const clock = createManualClock(new Date());
    const world = await startWebWorld({ clock });
    const browser = world.browser();
    const start = await browser.get(authorizePath({ x: challenge }));
    const state = start.location?.searchParams.get('state');
    const page = await browser.follow(start);
    const session = browser.cookies.get('__Host-klutch-session');
    const { location } = await submit(browser, page, [widgets]);

    clock.jump(121_000);
    for (const code of [location?.searchParams.get('code'), state, session, 'x', '']) {
      expect((await world.post('/redeem', { code, verifier })).status).toBe(400);
    }
    expect(world.plane.provisioned).toEqual([]);
  });
});
