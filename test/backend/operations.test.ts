import { expect, it, onTestFinished } from 'vitest';
import { onOwnPlane, provide, sampleApi, unique } from './exports-world.ts';
import { askOperations, launch, patiently, untilLeading, untilReady, webFor } from './process-world.ts';
import { openRefusalScene } from './refusals-scene.ts';
import { send } from './scripted-browser.ts';
import { startScriptedIssuer } from './scripted-issuer.ts';
import { baseUrl } from './web-world.ts';

const second = () => Math.floor(Date.now() / 1000);

onOwnPlane('health and metrics', (plane) => {
  it('BE-60 BE-17 say that the process works from the start, and that it is ready when catalogue and issuer are', async () => {
    const issuer = await startScriptedIssuer({ clientId: 'klutch', clientSecret: 'client-secret' }, true);
    onTestFinished(() => issuer.close());
    await provide(plane(), sampleApi());
    const launched = await launch(plane(), { web: webFor(issuer, baseUrl) });
    const port = Number(new URL(launched.backend.url()).port);
    await untilLeading(launched);

    expect((await askOperations(launched, '/livez')).status).toBe(200);
    expect((await askOperations(launched, '/healthz')).status).toBe(200);
    expect((await send(new URL('/healthz', baseUrl), {}, port)).json()).toEqual({ status: 'ok' });
    const verbose = await patiently(async () => {
      const { status, text } = await askOperations(launched, '/readyz?verbose');
      return status === 500 && text.includes('[+]catalogue ok') && text;
    });
    expect(verbose).toMatch(
      /\[\+\]kinds ok\n\[\+\]catalogue ok\n\[-\]issuer failed: The identity provider does not answer/,
    );

    await issuer.resume();
    await untilReady(launched);
  });

  it('BE-60 count requests, binds and reconciles, away from the port of the users', async () => {
    const scene = await openRefusalScene(plane());
    const client = { sub: 'pipeline', client_id: 'pipeline', aud: 'klutch', scope: 'klutch/bind' };
    const claims = { ...client, iat: second(), exp: second() + 300 };
    expect((await scene.bindAsMachine(claims, unique('app'))).status).toBe(200);
    expect((await scene.bindAsMachine({ ...claims, aud: 'other' })).status).toBe(401);

    await patiently(async () => {
      const { text } = await askOperations(scene.leader, '/metrics');
      return /klutch_kube_reconcile_seconds_count\{[^}]*controller="clusterbinding"[^}]*\} [1-9]/.test(text);
    });
    const { text: metrics } = await askOperations(scene.launched, '/metrics');

    for (const line of [
      'klutch_backend_http_requests_total{route="/bind-noninteractive",method="POST",status="200"} 1',
      'klutch_backend_binds_total{flow="machine",result="success"} 1',
      'klutch_backend_binds_total{flow="machine",result="KLUTCH_TOKEN_INVALID"} 1',
    ]) {
      expect(metrics).toContain(line);
    }
    for (const path of ['/metrics', '/livez', '/readyz']) expect((await scene.call(path)).status).toBe(404);
    expect((await scene.call('/healthz')).json()).toEqual({ status: 'ok' });
  });
});
