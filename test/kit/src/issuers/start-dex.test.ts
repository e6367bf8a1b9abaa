import { access } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeReal } from '../vitest/index.ts';
import { emailOf, KIT_PASSWORD, type KitIssuer } from './issuer-users.ts';
import { startDex } from './start-dex.ts';
import { claimsOf, discover, logIn, postForm, type Tokens } from './testing/oidc.ts';

const client = { id: 'backend', secret: 'dex-secret', redirectUris: ['http://127.0.0.1:1/callback'] };
const ada = { name: 'ada', groups: ['team-red', 'team-blue'] };

describeReal(
  'Dex',
  () => {
    let dex: KitIssuer;
    beforeAll(async () => {
      dex = await startDex({ users: [ada], clients: [client] });
    });
    afterAll(() => dex.stop());

    it('is an issuer with authorization and device code', async () => {
      expect(await discover(dex.url)).toMatchObject({
        issuer: dex.url,
        grant_types_supported: expect.arrayContaining([
          'authorization_code',
          'urn:ietf:params:oauth:grant-type:device_code',
        ]),
      });
    });

    it('logs its users in, and tells the client their address and groups', async () => {
      const { code, verifier } = await logIn(dex.url, client, { login: emailOf(ada), password: KIT_PASSWORD });
      const { token_endpoint } = await discover(dex.url);
      const tokens = await postForm<Tokens>(token_endpoint, client, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: client.redirectUris[0] ?? '',
      });
      expect(claimsOf(tokens.id_token)).toMatchObject({
        iss: dex.url,
        aud: client.id,
        email: 'ada@klutch.example',
        groups: ada.groups,
      });
    });

    it('runs as often as one likes, and is gone after its end', async () => {
      const other = await startDex({ users: [], clients: [] });
      expect(other.url).not.toBe(dex.url);
      await other.stop();
      await expect(fetch(`${other.url}/healthz`)).rejects.toThrow();
      await expect(access(`/proc/${other.pid}`)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('shows its log when it cannot start', async () => {
      const broken = { ...client, redirectUris: [] };
      await expect(startDex({ users: [], clients: [broken], idTokens: 'forever' })).rejects.toMatchObject({
        code: 'KLUTCH_KIT_START_FAILED',
        message: expect.stringContaining('dex ended before it was ready'),
      });
    });
  },
  { needs: ['dex'] },
);
