import { randomBytes } from 'node:crypto';
import { eventually } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { type Browser, createBrowser } from './scripted-browser.ts';
import { authorizePath, baseUrl, client, login, startWebWorld, submit, type WebWorld } from './web-world.ts';

const widgets = 'widgets.example.org';
const quickly = { timing: { files: 20 } };

/** Waits until so many followers have taken a new value. */
const untilTaken = (world: WebWorld, what: string, count: number) =>
  eventually(
    () => world.lines.filter((line) => line.includes('uses a new value') && line.includes(`"${what}"`)).length >= count,
    { withinMs: 30_000 },
  );

/** The same browser at another replica. */
function carriedOver({ cookies }: Browser, port: number): Browser {
  const other = createBrowser(baseUrl, () => port);
  for (const [name, value] of cookies) (other.cookies as Map<string, string>).set(name, value);
  return other;
}

describe('a new sealing key', () => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];

  async function start() {
    const file: { keys: readonly Buffer[] } = { keys: [old] };
    const world = await startWebWorld({
      ...quickly,
      options: { sealingKeys: { value: [old], read: async () => file.keys } },
    });
    const { port } = await world.replica();
    const change = async (keys: readonly Buffer[], count: number) => {
      file.keys = keys;
      await untilTaken(world, 'sealing keys', count);
    };
    return { world, port, change };
  }

  it('lets logins finish that were begun before it, on another replica, while both keys are given', async () => {
    const { world, port, change } = await start();
    const [begun, loggedIn] = [world.browser(), world.browser()];
    const atIssuer = await begun.get(authorizePath());
    const page = await login(loggedIn);

    await change([fresh, old], 2);

    const finished = await carriedOver(begun, port).follow(await begun.get(atIssuer.location ?? ''));
    expect(finished.status).toBe(200);
    expect((await submit(carriedOver(loggedIn, port), page, [widgets])).status).toBe(303);
    expect((await login(world.browser())).status).toBe(200);
  });

  it('ends what was sealed with the old one when that is removed', async () => {
    const { world, change } = await start();
    const [begun, loggedIn] = [world.browser(), world.browser()];
    const atIssuer = await begun.get(authorizePath());
    const page = await login(loggedIn);
    await change([fresh, old], 2);

    await change([fresh], 4);

    expect((await begun.follow(atIssuer)).status).toBe(400);
    expect((await submit(loggedIn, page, [widgets])).status).toBe(401);
    expect(world.plane.provisioned).toEqual([]);
    expect((await login(world.browser())).status).toBe(200);
  });
});

describe('a new client secret', () => {
  const fresh = 'fresh-secret-hunter2';

  it('can be given to the backend before the issuer knows it', async () => {
    const file = { secrets: [client.clientSecret] };
    const clientSecrets = { value: file.secrets, read: async () => file.secrets };
    const world = await startWebWorld({ ...quickly, clientSecrets });

    file.secrets = [fresh];
    await untilTaken(world, 'client secret', 1);
    expect((await login(world.browser())).status).toBe(200);

    world.issuer.script.clientSecret = fresh;
    expect((await login(world.browser())).status).toBe(200);
  });

  it('is read at once when the issuer refuses the old one', async () => {
    const file = { secrets: [client.clientSecret] };
    const clientSecrets = { value: file.secrets, read: async () => file.secrets };
    const world = await startWebWorld({ timing: { files: 3_600_000 }, clientSecrets });

    [file.secrets, world.issuer.script.clientSecret] = [[fresh], fresh];

    expect((await login(world.browser())).status).toBe(200);
  });

  it('can stand next to the old one, so that a restart in between does no harm', async () => {
    const world = await startWebWorld({ clientSecrets: { value: [fresh, client.clientSecret] } });

    expect((await login(world.browser())).status).toBe(200);
  });

  it('S-17 that the issuer does not accept fails the login, and is not told to anybody', async () => {
    const world = await startWebWorld({ clientSecrets: { value: [fresh] } });

    const answer = await login(world.browser());

    expect(answer.status).toBe(503);
    expect(world.lines.join('\n')).toContain('invalid_client');
    expect(`${answer.text}${world.lines.join('\n')}`).not.toContain(fresh);
  });
});
