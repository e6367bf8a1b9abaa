import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { thingResource } from '../operations/testing/test-world.ts';
import { mediaTypeOf, readBytes, readConfiguration, readObject, readOptions, readPatch } from './read-body.ts';

/** A request with this body, in pieces. */
function request(body: string | readonly Buffer[], contentType?: string): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  if (contentType !== undefined) message.headers['content-type'] = contentType;
  for (const piece of typeof body === 'string' ? [Buffer.from(body)] : body) message.push(piece);
  message.push(null);
  return message;
}

const refusal = (reading: Promise<unknown>) =>
  reading.then(
    () => 'taken',
    (error: { readonly code: number; readonly message: string }) => [error.code, error.message],
  );

describe('a body', () => {
  it('is put together from its pieces', async () => {
    const pieces = ['{"a"', ':1', '}'].map((text) => Buffer.from(text));

    expect((await readBytes(request(pieces))).toString()).toBe('{"a":1}');
  });

  it('of more than three megabytes is refused', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    const full = [megabyte, megabyte, megabyte];

    expect((await readBytes(request(full))).length).toBe(3 * 1024 * 1024);
    expect(await refusal(readBytes(request([...full, Buffer.from('x')])))).toEqual([
      413,
      'Request entity too large: limit is 3145728',
    ]);
  });

  it.each([
    ['application/json; charset=utf-8', 'application/json'],
    [' Application/YAML ', 'application/yaml'],
    [undefined, ''],
  ])('of %j has the type %j', (header, type) => {
    expect(mediaTypeOf(request('', header))).toBe(type);
  });
});

describe('the body of a write', () => {
  const custom = thingResource();
  const builtIn = thingResource({ builtIn: true });

  it.each([
    ['JSON', '{"kind":"Thing"}', 'application/json'],
    ['JSON without saying so', '{"kind":"Thing"}', undefined],
    ['YAML', 'kind: Thing', 'application/yaml'],
  ])('is %s', async (_, text, type) => {
    expect(await readObject(request(text, type), custom)).toMatchObject({ value: { kind: 'Thing' }, duplicates: [] });
  });

  it('tells what it says twice', async () => {
    const { value, duplicates } = await readObject(request('{"a":1,"a":2}'), custom);

    expect([value, duplicates]).toEqual([{ a: 2 }, ['duplicate field "a"']]);
  });

  it.each([
    [custom, 'application/json, application/yaml'],
    [builtIn, 'application/json, application/yaml, application/vnd.kubernetes.protobuf'],
  ])('has no other form', async (resource, accepted) => {
    expect(await refusal(readObject(request('x', 'text/plain'), resource))).toEqual([
      415,
      `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
    ]);
  });

  it('that cannot be parsed is shown as far as it goes', async () => {
    const [code, message] = await refusal(readObject(request('{"a":'), custom));

    expect(code).toBe(400);
    expect(message).toMatch(
      /^the object provided is unrecognized \(must be of type Thing\): .*json parse error.*\(\{"a":\)$/,
    );
  });
});

describe('the body of a deletion', () => {
  it('need not be there', async () => {
    expect(await readOptions(request(''))).toBeUndefined();
  });

  it('has options', async () => {
    expect(await readOptions(request('{"gracePeriodSeconds":0}'))).toEqual({ gracePeriodSeconds: 0 });
    expect(await readOptions(request('gracePeriodSeconds: 0', 'application/yaml'))).toEqual({ gracePeriodSeconds: 0 });
  });

  it('that cannot be parsed is a bad request', async () => {
    expect((await refusal(readOptions(request('{'))))[0]).toBe(400);
  });
});

describe('the body of a patch', () => {
  it('is JSON', () => {
    expect(readPatch(Buffer.from('[{"op":"test"}]'), 'json').value).toEqual([{ op: 'test' }]);
  });

  it.each([
    ['merge', /^error decoding patch: /],
    ['strategic', /^(?!error decoding patch)/],
  ] as const)('of type %s is refused in its own words', (type, words) => {
    expect(() => readPatch(Buffer.from('{'), type)).toThrow(words);
  });
});

describe('a configuration to apply', () => {
  it.each([
    ['YAML', 'a: 1'],
    ['JSON', '{"a": 1}'],
  ])('may be %s', (_, text) => {
    expect(readConfiguration(Buffer.from(text)).value).toEqual({ a: 1 });
  });

  it('may be empty', () => {
    expect(readConfiguration(Buffer.from('')).value).toEqual({});
  });

  it.each([
    ['a list', '- 1', 'array'],
    ['a text', 'x', 'string'],
    ['a number', '5', 'number'],
  ])('is not %s', (_, text, kind) => {
    expect(() => readConfiguration(Buffer.from(text))).toThrow(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  });
});
