import { access } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeReal } from '../vitest/index.ts';
import { KIT_PASSWORD, type KitIssuer } from './issuer-users.ts';
import { startKeycloak } from './start-keycloak.ts';
import { claimsOf, discover, logIn, postForm, type Tokens } from './testing/oidc.ts';

const client = { id: 'backend', secret: 'keycloak-secret', redirectUris: ['http://127.0.0.1:1/callback'] };
const machine = { id: 'pipeline', secret: 'machine-secret', audience: 'klutch' };
const ada = { name: 'ada', groups: ['team-red', 'team-blue'] };

describeReal(
  'Keycloak',
  () => {
    let keycloak: KitIssuer;
    beforeAll(async () => {
      keycloak = await startKeycloak({ users: [ada], clients: [client], machines: [machine] });
    }, 400_000);
    afterAll(async () => {
      await keycloak.stop();
      await expect(access(`/proc/${keycloak.pid}`)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('logs its users in, and tells the client their address and groups', async () => {
      const fields = { username: ada.name, password: KIT_PASSWORD };
      const { code, verifier } = await logIn(keycloak.url, client, fields);
      const { token_endpoint } = await discover(keycloak.url);
      const tokens = await postForm<Tokens>(token_endpoint, client, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: client.redirectUris[0] ?? '',
      });
      expect(claimsOf(tokens.id_token)).toMatchObject({
        iss: keycloak.url,
        aud: client.id,
        sub: expect.any(String),
        preferred_username: 'ada',
        email: 'ada@klutch.example',
        email_verified: true,
        groups: expect.arrayContaining(ada.groups),
      });
    });

    it('gives machines access tokens with their scope and audience', async () => {
      const { token_endpoint } = await discover(keycloak.url);
      const request = { grant_type: 'client_credentials', scope: 'klutch/bind' };
      const { access_token } = await postForm<Tokens>(token_endpoint, machine, request);
      expect(claimsOf(access_token)).toMatchObject({
        iss: keycloak.url,
        aud: 'klutch',
        azp: machine.id,
        scope: expect.stringContaining('klutch/bind'),
      });
    });

    it('offers device codes', async () => {
      const { device_authorization_endpoint = '' } = await discover(keycloak.url);
      const answer = await postForm(device_authorization_endpoint, client, { scope: 'openid groups' });
      expect(answer).toMatchObject({ user_code: expect.any(String), verification_uri: expect.any(String) });
    });
  },
  { needs: ['keycloak'] },
);
