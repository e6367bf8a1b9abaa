import { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Authenticator, User } from '../authn/index.ts';
import type { Attributes, Authorizer } from '../authz/index.ts';
import { createGate } from './gate.ts';
import { requestInfo } from './request-info.ts';

const alice: User = { name: 'alice', groups: ['system:authenticated'] };

/** A gate that lets through what is allowed, and what it asked about. */
function gate(isAllowed: (attributes: Attributes) => boolean, warnings: readonly string[] = []) {
  const asked: Attributes[] = [];
  const authenticator = { authenticate: async () => ({ user: alice, warnings }) } as unknown as Authenticator;
  const authorizer = {
    authorize: (attributes: Attributes) => {
      asked.push(attributes);
      return { allowed: isAllowed(attributes), reason: '' };
    },
  } as unknown as Authorizer;
  const warned: string[] = [];
  const admit = (method: string, url: string, headers: Record<string, string> = {}) => {
    const { pathname, searchParams } = new URL(`https://server${url}`);
    const request = new IncomingMessage(new TLSSocket(new Socket()));
    for (const [name, value] of Object.entries(headers)) request.headersDistinct[name] = [value];
    const info = requestInfo(method, pathname, searchParams);
    return createGate(authenticator, authorizer).admit(request, info, searchParams, (text) => warned.push(text));
  };
  return { admit, asked, warned };
}

describe('the gate', () => {
  it('lets those in who may do what they ask for', async () => {
    const { admit, asked } = gate(() => true);

    expect(await admit('PATCH', '/apis/ex.io/v1/namespaces/a/things/b/status')).toEqual(alice);
    expect(asked).toEqual([
      {
        user: alice,
        verb: 'patch',
        group: 'ex.io',
        version: 'v1',
        resource: 'things',
        subresource: 'status',
        namespace: 'a',
        name: 'b',
      },
    ]);
  });

  it('asks about paths that are no resources', async () => {
    const { admit, asked } = gate(() => true);
    await admit('GET', '/version');

    expect(asked).toEqual([{ user: alice, verb: 'get', path: '/version' }]);
  });

  it.each([
    ['GET', '/api/v1/secrets?fieldSelector=metadata.name%3Dx', 'x'],
    ['GET', '/api/v1/secrets?fieldSelector=type%3DOpaque,metadata.name%3D%3Dx', 'x'],
    ['GET', '/api/v1/secrets?watch=1&fieldSelector=metadata.name%3Dx', 'x'],
    ['DELETE', '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dx', 'x'],
    ['GET', '/api/v1/secrets?fieldSelector=metadata.name!%3Dx', undefined],
    ['POST', '/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Dx', undefined],
  ])('takes %s %s for a request for %s', async (method, url, name) => {
    const { admit, asked } = gate(() => true);
    await admit(method, url);

    expect(asked).toMatchObject([{ resource: 'secrets', name }]);
  });

  it('keeps all others out, and tells them why', async () => {
    const { admit } = gate(() => false);

    await expect(admit('GET', '/api/v1/namespaces/a/secrets/b')).rejects.toMatchObject({
      code: 403,
      message:
        'secrets "b" is forbidden: User "alice" cannot get resource "secrets" in API group "" in the namespace "a"',
    });
    await expect(admit('GET', '/metrics')).rejects.toMatchObject({
      code: 403,
      message: 'forbidden: User "alice" cannot get path "/metrics"',
    });
  });

  it('lets somebody be somebody else if that is allowed', async () => {
    const { admit, asked } = gate(() => true);
    const user = await admit('GET', '/version', { 'impersonate-user': 'bob' });

    expect(user).toMatchObject({ name: 'bob' });
    expect(asked).toMatchObject([
      { user: alice, verb: 'impersonate', resource: 'users', name: 'bob' },
      { user: { name: 'bob' }, verb: 'get', path: '/version' },
    ]);
  });

  it('passes on what the client should know about its credentials', async () => {
    const { admit, warned } = gate(() => true, ['use another token']);
    await admit('GET', '/version');

    expect(warned).toEqual(['use another token']);
  });
});
