import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { createPlainBrowser } from './plain-browser.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

async function serve(answers: Readonly<Record<string, Answer>>): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    void (answers[pathname] ?? ((_, missing) => void missing.writeHead(404).end()))(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('follows redirects and keeps cookies, also those that end', async () => {
  const url = await serve({
    '/': (_, response) => {
      const cookies = ['a=1; Path=/; HttpOnly', 'b=2', 'a=3'];
      response.writeHead(302, { location: '/next', 'set-cookie': cookies }).end();
    },
    '/next': (_, response) => void response.writeHead(303, { location: '/end', 'set-cookie': 'b=; Max-Age=0' }).end(),
    '/end': (request, response) => void response.end(`cookies: ${request.headers.cookie}`),
  });
  expect(await createPlainBrowser().open(url)).toMatchObject({ url: `${url}/end`, status: 200, text: 'cookies: a=3' });
});

it('sends a form with what was filled in, in place of what was there', async () => {
  const url = await serve({
    '/': (_, response) =>
      void response.end('<form method="post" action="/in"><input name="a" value="1"><input name="b" value="2"></form>'),
    '/in': async (request, response) => void response.end(`${request.method} ${await text(request)}`),
  });
  const browser = createPlainBrowser();
  const page = await browser.open(url);
  expect((await browser.submit(page, { b: ['x', 'y'] })).text).toBe('POST a=1&b=x&b=y');
});

it('puts the fields of a GET form into the address', async () => {
  const url = await serve({
    '/': (_, response) => void response.end('<form action="/find?old=1"><input name="q"></form>'),
    '/find': (request, response) => void response.end(request.url),
  });
  const browser = createPlainBrowser();
  expect((await browser.submit(await browser.open(url), { q: 'a b' })).text).toBe('/find?q=a+b');
});

it('stops before addresses it was told to leave alone', async () => {
  const url = await serve({
    '/': (_, response) => void response.writeHead(302, { location: 'http://localhost:1/callback?code=7' }).end(),
  });
  const browser = createPlainBrowser({ stopAt: ({ port }) => port === '1' });
  expect(await browser.open(url)).toMatchObject({ url: 'http://localhost:1/callback?code=7', status: 0 });
});

it('gives up on redirects in circles, and has nothing to send where there is no form', async () => {
  const url = await serve({
    '/': (_, response) => void response.writeHead(302, { location: '/' }).end(),
    '/plain': (_, response) => void response.end('nothing here'),
  });
  const browser = createPlainBrowser();
  await expect(browser.open(url)).rejects.toThrow('redirects in circles');
  const page = await browser.open(`${url}/plain`);
  expect(() => browser.submit(page, {})).toThrow('has no form');
});
