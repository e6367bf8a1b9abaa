import { describe, expect, it } from 'vitest';
import {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  noSuchPath,
  notFound,
  StatusError,
  tooLarge,
  unauthorized,
  unsupportedMediaType,
  verbNotSupported,
} from './status-error.ts';
import { UnreadableObject } from './unreadable-object.ts';

const secrets = { group: '', resource: 'secrets' };
const things = { group: 'ex.io', resource: 'things' };
const ofThings = { group: 'ex.io', kind: 'things' };

describe('a status', () => {
  it('is what clients get, in the order of Kubernetes', () => {
    expect(JSON.stringify(notFound(things, 'a').toStatus())).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"things.ex.io \\"a\\" not found",' +
        '"reason":"NotFound","details":{"name":"a","group":"ex.io","kind":"things"},"code":404}',
    );
  });

  it('has neither a reason nor details where there are none', () => {
    expect(JSON.parse(JSON.stringify(new StatusError(500, '', 'oh').toStatus()))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'oh',
      code: 500,
    });
  });

  it.each([
    ['missing', notFound(secrets, 'a'), 404, 'NotFound', 'secrets "a" not found', { name: 'a', kind: 'secrets' }],
    ['a path to nowhere', noSuchPath(), 404, 'NotFound', 'the server could not find the requested resource', {}],
    [
      'there already',
      alreadyExists(things, 'a'),
      409,
      'AlreadyExists',
      'things.ex.io "a" already exists',
      { name: 'a', ...ofThings },
    ],
    [
      'changed meanwhile',
      conflict(secrets, 'a', 'too late'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on secrets "a": too late',
      { name: 'a', kind: 'secrets' },
    ],
    [
      'forbidden by name',
      forbidden(things, 'a', 'no'),
      403,
      'Forbidden',
      'things.ex.io "a" is forbidden: no',
      { name: 'a', ...ofThings },
    ],
    ['forbidden as such', forbidden(things, '', 'no'), 403, 'Forbidden', 'things.ex.io is forbidden: no', ofThings],
    ['wrong', badRequest('what?'), 400, 'BadRequest', 'what?', undefined],
    ['of nobody', unauthorized(), 401, 'Unauthorized', 'Unauthorized', undefined],
    ['too old', expired('long ago'), 410, 'Expired', 'long ago', undefined],
    ['too large', tooLarge('much'), 413, 'RequestEntityTooLarge', 'much', undefined],
    [
      'of another method',
      methodNotAllowed(),
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    ],
    [
      'of another verb',
      verbNotSupported(things, 'create'),
      405,
      'MethodNotAllowed',
      'create is not supported on resources of kind "things.ex.io"',
      ofThings,
    ],
    [
      'of another form',
      unsupportedMediaType(['a/b', 'c/d']),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: a/b, c/d',
      undefined,
    ],
    [
      'not expected',
      internalError('oh'),
      500,
      'InternalError',
      'Internal error occurred: oh',
      { causes: [{ message: 'oh' }] },
    ],
  ])('says that a request is %s', (_, error, code, reason, message, details) => {
    expect([error.code, error.reason, error.message, error.details]).toEqual([code, reason, message, details]);
  });
});

describe('a status of an invalid object', () => {
  const one = { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' };
  const other = { reason: 'FieldValueInvalid', message: 'Invalid value: 1: too few', field: 'spec.b' };

  it('names the one thing that is wrong', () => {
    expect(invalid('', 'Secret', 'a', [one]).message).toBe('Secret "a" is invalid: spec.a: Required value');
  });

  it('names all things that are wrong, and each by itself', () => {
    const error = invalid('ex.io', 'Thing', 'a', [one, other]);

    expect(error.message).toBe(
      'Thing.ex.io "a" is invalid: [spec.a: Required value, spec.b: Invalid value: 1: too few]',
    );
    expect(error.details).toEqual({ name: 'a', group: 'ex.io', kind: 'Thing', causes: [one, other] });
  });

  it('writes causes in the order of Kubernetes, however they were made', () => {
    const { details } = invalid('', 'Secret', '', [{ field: 'f', message: 'm', reason: 'r' }]);

    expect(JSON.stringify(details)).toBe('{"kind":"Secret","causes":[{"reason":"r","message":"m","field":"f"}]}');
  });
});

describe('a status of an unreadable object', () => {
  const wanted = { kind: 'Thing', version: 'v1' };

  it('says what was wanted, and why that is none', () => {
    const error = new UnreadableObject(wanted, 'no such thing');

    expect([error.code, error.reason, error.message, error.problem]).toEqual([
      400,
      'BadRequest',
      'Thing in version "v1" cannot be handled as a Thing: no such thing',
      'no such thing',
    ]);
  });

  it('says what the object took itself for', () => {
    expect(new UnreadableObject(wanted, 'odd', { kind: 'Other', version: 'v2' }).message).toBe(
      'Other in version "v2" cannot be handled as a Thing: odd',
    );
  });
});
