import { once } from 'node:events';
import { connect } from 'node:net';
import { KubeError } from '@klutch/kube';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { scriptedControlPlane, secretMark } from './scripted-control-plane.ts';
import { authorizePath, login, startWebWorld, submit, type WebWorld } from './web-world.ts';

const widgets = 'widgets.example.org';

describe('the backend under way', () => {
  it('tells load balancers whether it works, and nothing else to anybody', async () => {
    let problem: string | undefined;
    const check = () => {
      if (problem !== undefined) throw new Error(problem);
    };
    const world = await startWebWorld({ livez: [{ name: 'lease', check }] });

    expect((await world.call('/healthz')).json()).toEqual({ status: 'ok' });
    problem = 'the control plane does not answer';
    const failed = await world.call('/healthz');
    expect([failed.status, failed.json()]).toEqual([503, { status: 'failed' }]);
    for (const path of ['/metrics', '/livez', '/readyz']) expect((await world.call(path)).status).toBe(404);
  });

  it('BE-33 S-17 S-10 writes neither codes, states, tokens nor credentials into its log, in success or failure', async () => {
    const world = await startWebWorld();
    const browser = world.browser();
    const states: string[] = [];
    const start = await browser.get(authorizePath());
    states.push(start.location?.searchParams.get('state') ?? '');
    const done = await submit(browser, await browser.follow(start), [widgets]);

    const failing = world.browser();
    world.issuer.script.forgeSignature = true;
    const begun = await failing.get(authorizePath());
    states.push(begun.location?.searchParams.get('state') ?? '');
    const callback = (await failing.get(begun.location ?? '')).location ?? '';
    await failing.get(callback);
    await failing.get(callback);
    await world.call(`/no/such/path?token=${secretMark}`);
    await world.call(`/${secretMark}`);
    const machine = world.issuer.sign({ sub: 'x', scope: secretMark });
    await world.post('/bind-noninteractive', { clusterID: secretMark }, { authorization: `Bearer ${machine}` });
    await world.call('/redeem', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"code":"${secretMark}`,
    });
    await world.post('/rotate', {}, { authorization: `Bearer tenant-token-${secretMark}` });

    const log = world.lines.join('\n');
    expect(world.lines.length).toBeGreaterThan(10);
    expect(world.issuer.codes).toHaveLength(2);
    const secrets = [
      secretMark,
      machine,
      ...states,
      ...world.issuer.codes,
      ...browser.cookies.values(),
      done.location?.searchParams.get('response') ?? 'absent',
      '?',
    ];
    for (const secret of secrets) expect(log).not.toContain(secret);
  });

  it('S-20 tells neither its insides nor the text of decoders when something fails', async () => {
    const world = await startWebWorld();
    const authorization = `Bearer ${world.issuer.sign({ client_id: 'pipeline', aud: 'klutch', scope: 'klutch/bind', exp: Date.now() / 1000 + 300 })}`;
    const body = { clusterID: 'c', apis: [{ group: 'example.org', resource: 'widgets' }] };

    world.plane.failure = new Error(`TypeError at provision (${secretMark}.ts:3)`);
    const internal = await world.post('/bind-noninteractive', body, { authorization });
    world.plane.failure = new KubeError('KUBE_UNREACHABLE', 'connect ECONNREFUSED 10.0.0.1:6443');
    const plane = await world.post('/bind-noninteractive', body, { authorization });
    const malformed = await world.call('/redeem', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":',
    });

    expect(internal.status).toBe(500);
    expect(internal.json()).toMatchObject({ code: 'KLUTCH_INTERNAL' });
    expect(plane.status).toBe(503);
    expect(plane.headers['retry-after']).toBe('5');
    expect(plane.json()).toMatchObject({ code: 'KLUTCH_BACKEND_UNAVAILABLE' });
    expect(malformed.status).toBe(400);
    for (const { text } of [internal, plane, malformed])
      expect(text).not.toMatch(/hunter2|TypeError|ECONN|10\.0|JSON|position|stack/);
  });

  it('S-20 sends headers that keep pages from being framed, scripted, cached or sniffed', async () => {
    const world = await startWebWorld();

    for (const { headers } of [
      await login(world.browser()),
      await world.call('/export'),
      await world.call('/nowhere'),
    ]) {
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*; frame-ancestors 'none'/,
      );
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['server']).toBeUndefined();
    }
  });

  it('answers other methods and paths as such', async () => {
    const world = await startWebWorld();

    const method = await world.call('/export', { method: 'PUT' });
    expect(method.status).toBe(405);
    expect(method.headers['allow']).toBe('GET');
    expect((await world.call('/callback', { method: 'HEAD' })).status).toBe(405);
    expect((await world.browser().get('/nowhere')).text).toContain('Not found');
    expect((await world.call('/%')).status).toBe(400);
  });

  it('S-12 limits requests of an address, but not probes', async () => {
    const world = await startWebWorld({ options: { limits: { perSubject: 100, perAddress: 5 } } });

    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) statuses.push((await world.call('/export')).status);
    const refused = await world.call('/nowhere');

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await world.call('/healthz')).status).toBe(200);
  });

  const limits = { perSubject: 100, perAddress: 2 };
  const from = async (world: WebWorld, address: string) =>
    (await world.call('/export', { headers: { 'x-forwarded-for': address } })).status;
  const warnings = ({ lines }: WebWorld) => lines.filter((line) => line.includes('a proxy that is not trusted'));

  it('S-12 counts by the address that a trusted proxy names', async () => {
    const trusting = await startWebWorld({ options: { limits, trustedProxies: ['127.0.0.1'] } });

    expect([
      await from(trusting, '198.51.100.1'),
      await from(trusting, '198.51.100.1'),
      await from(trusting, '198.51.100.1'),
    ]).toEqual([200, 200, 429]);
    expect(await from(trusting, '198.51.100.2')).toBe(200);
    expect(warnings(trusting)).toEqual([]);
  });

  it.each([[undefined], [['192.0.2.1']]])(
    'S-12 keeps one client behind a proxy that is not among %j from using up the limit of all, and warns once',
    async (trustedProxies) => {
      const world = await startWebWorld({ options: { limits, trustedProxies } });

      const greedy = [
        await from(world, '198.51.100.1'),
        await from(world, '192.0.2.7, 198.51.100.1'),
        await from(world, '198.51.100.1'),
      ];

      expect(greedy).toEqual([200, 200, 429]);
      expect(await from(world, '198.51.100.2')).toBe(200);
      expect(warnings(world)).toHaveLength(1);
      expect(warnings(world)[0]).toContain('--trusted-proxies=127.0.0.1');
    },
  );

  it('S-12 limits a proxy that is not trusted as a whole, since it may make addresses up', async () => {
    const world = await startWebWorld({ options: { limits } });
    const statuses: number[] = [];

    for (let client = 1; client <= 22; client += 1) statuses.push(await from(world, `198.51.100.${client}`));

    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await world.call('/export')).status).toBe(200);
  });

  it('refuses bodies that are too large', async () => {
    const world = await startWebWorld();

    const answer = await world.post('/redeem', { code: 'x'.repeat(70_000), verifier: 'x' });

    expect(answer.status).toBe(413);
  });

  it('S-19 hangs up on clients that do not finish their request', async () => {
    const world = await startWebWorld({ timing: { headers: 200, request: 400, inspection: 50 } });

    for (const beginning of [
      'GET /export HTTP/1.1\r\nHost: x\r\n',
      'POST /redeem HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ]) {
      const socket = connect(world.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      socket.write(beginning);
      await once(socket, 'close', { signal: AbortSignal.timeout(30_000) });
    }
    await eventually(async () => (await world.call('/export')).status === 200);
  });

  it('S-19 answers in time when the control plane does not', async () => {
    const plane = scriptedControlPlane();
    plane.tenants.namespaceOf = () => new Promise(() => {});
    const world = await startWebWorld({ plane, timing: { answer: 200 } });

    const answer = await world.post('/rotate', {}, { authorization: 'Bearer tenant-token-x' });

    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'KLUTCH_BACKEND_UNAVAILABLE' });
  });

  it('S-19 answers requests under way when it stops, and takes no new ones', async () => {
    const plane = scriptedControlPlane();
    let release: (namespace: string) => void = () => {};
    let reached: () => void = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    plane.tenants.namespaceOf = () =>
      new Promise((resolve) => {
        release = resolve;
        reached();
      });
    const world = await startWebWorld({ plane });
    const underWay = world.post('/rotate', {}, { authorization: 'Bearer tenant-token-x' });
    await isReached;

    const stopped = world.stop();
    await eventually(
      async () =>
        (await world.call('/healthz').then(
          ({ status }) => status,
          () => 0,
        )) !== 200,
    );
    release('cluster-1');

    expect((await underWay).json()).toMatchObject({ namespace: 'cluster-1' });
    await stopped;
    await expect(world.call('/healthz')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('S-19 stops although somebody never finishes', async () => {
    const plane = scriptedControlPlane();
    plane.tenants.namespaceOf = () => new Promise(() => {});
    const world = await startWebWorld({ plane, timing: { stop: 100 } });
    const outcome = world.post('/rotate', {}, { authorization: 'Bearer tenant-token-x' }).then(
      () => 'answered',
      () => 'cut',
    );
    await eventually(async () => (await world.call('/healthz')).status === 200);

    await world.stop();

    expect(await outcome).toBe('cut');
  });
});
