import { APIServiceBindings, appCluster as names, ConditionType, isConditionTrue } from '@klutch/api';
import type { Tier } from '@klutch/kit';
import { describeReal } from '@klutch/kit/vitest';
import { startIssuer } from '@klutch/sandbox';
import { describe, expect, it } from 'vitest';
import { scratchFile } from '../cli/bind-stage.ts';
import { openScene } from './scene.ts';

/** An issuer with a machine that may bind, and one that the backend does not know. */
async function issuerOf(callbackUrl: string) {
  return await startIssuer({
    users: [],
    clients: [
      { kind: 'web', id: 'klutch', secret: 'client-secret', redirectUris: [callbackUrl] },
      { kind: 'machine', id: 'pipeline', secret: 'machine-secret', scopes: ['klutch/bind', 'klutch/read'] },
      { kind: 'machine', id: 'stranger', secret: 'machine-secret' },
    ],
  });
}

function machineLogin(tier: Tier): void {
  it('CLI-30 BE-54 BE-55 binds with client credentials of the issuer, for machines that the backend knows', async () => {
    let tokenUrl = '';
    const scene = await openScene(tier, {
      issuer: async (callbackUrl) => {
        const issuer = await issuerOf(callbackUrl);
        const description = await fetch(`${issuer.url}/.well-known/openid-configuration`);
        tokenUrl = ((await description.json()) as { token_endpoint: string }).token_endpoint;
        return issuer;
      },
    });
    const bind = async (client: string, secret: string, scope: string) => {
      const fields = { client_id: client, client_secret: secret, token_url: tokenUrl, scope };
      const file = await scratchFile('credentials.json', JSON.stringify(fields));
      const login = ['--non-interactive', '--credentials-file', file, '--accept-claims', 'all'];
      const run = scene.klutch(['bind', scene.provider, ...login, '--api', scene.api.name, '--wait']);
      return { code: await run.ended(), err: run.err() };
    };

    const refusals = [
      await bind('pipeline', 'wrong-secret', 'klutch/bind'),
      await bind('pipeline', 'machine-secret', 'klutch/read'),
      await bind('stranger', 'machine-secret', 'klutch/bind'),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([3, 4, 4]);
    expect(refusals[0]?.err).toContain('does not accept the client credentials of pipeline');
    expect(refusals[1]?.err).toContain('The token was asked for with the scope "klutch/read"');

    expect(await bind('pipeline', 'machine-secret', 'klutch/bind')).toMatchObject({ code: 0 });
    const ref = { namespace: names.namespace, name: scene.api.name };
    const binding = await scene.app.admin.resource(APIServiceBindings).get(ref);
    expect(isConditionTrue(binding.status?.conditions, ConditionType.Ready)).toBe(true);
  }, 300_000);
}

describe('a machine that logs in (embedded)', () => machineLogin('embedded'));
describeReal('a machine that logs in (real)', () => machineLogin('real'));
