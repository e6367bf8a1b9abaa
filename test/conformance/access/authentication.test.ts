import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { expectRefusal, forbidden, refusal } from '../refusal.ts';
import { conformance } from '../suite.ts';

const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const userOf = async (client: Client) =>
  ((await client.post(whoami, {})).body.status as { userInfo: { username: string; groups: string[] } }).userInfo;

conformance('authentication', ({ check }) => {
  check('takes name and groups from a client certificate', async ({ as }) => {
    const { username, groups } = await userOf(await as({ name: 'conf-jane', groups: ['devs', 'ops'] }));

    expect([username, groups]).toEqual(['conf-jane', ['devs', 'ops', 'system:authenticated']]);
  });

  check('knows the administrators by their group', async ({ admin }) => {
    const { username, groups } = await userOf(admin);

    expect([username, groups]).toEqual(['admin', ['system:masters', 'system:authenticated']]);
  });

  check('takes those without credentials for anonymous', async ({ anonymous }) => {
    expectRefusal(
      await anonymous.get('/api/v1/secrets'),
      forbidden(
        'secrets',
        '',
        'User "system:anonymous" cannot list resource "secrets" in API group "" at the cluster scope',
      ),
    );
    expectRefusal(
      await anonymous.get('/api'),
      refusal(403, 'Forbidden', 'forbidden: User "system:anonymous" cannot get path "/api"', {}),
    );
    expectRefusal(
      await anonymous.post(whoami, {}),
      forbidden(
        'selfsubjectreviews.authentication.k8s.io',
        '',
        'User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
      ),
    );
  });

  check('lets anonymous clients ask for version and health only', async ({ anonymous }) => {
    const answers = await Promise.all(
      ['/version', '/healthz', '/livez', '/readyz', '/api', '/apis', '/openapi/v2', '/'].map((path) =>
        anonymous.get(path),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 403, 403, 403, 403]);
  });

  check('refuses a bad token even where anonymous clients may go', async ({ withToken }) => {
    expectRefusal(await withToken('nonsense').get('/version'), refusal(401, 'Unauthorized', 'Unauthorized'));
  });

  check('refuses other schemes of authorization like none', async ({ anonymous }) => {
    const { status } = await anonymous.get('/api', { headers: { authorization: 'Basic eDp5' } });

    expect(status).toBe(403);
  });

  check('lets every known user discover', async ({ as }) => {
    const user = await as({ name: 'conf-nobody' });
    const answers = await Promise.all(
      ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/openapi/v2', '/openapi/v3', '/version'].map(
        (path) => user.get(path),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200]);
    expectRefusal(
      await user.get('/'),
      refusal(403, 'Forbidden', 'forbidden: User "conf-nobody" cannot get path "/"', {}),
    );
    expectRefusal(
      await user.get('/metrics'),
      refusal(403, 'Forbidden', 'forbidden: User "conf-nobody" cannot get path "/metrics"', {}),
    );
  });
});
