import { describe, expect, it } from 'vitest';

import type { StatusError } from '../status/status-error.ts';
import { parseListOptions } from './list-options.ts';

const type = { namespaced: true, builtIn: true, selectableFields: {} };
const parse = (query: string) => parseListOptions(new URLSearchParams(query), type);

function refusal(query: string): StatusError {
  try {
    parse(query);
  } catch (error) {
    return error as StatusError;
  }
  throw new Error(`${query} was accepted`);
}

describe('options of a list', () => {
  it('have defaults that ask for everything', () => {
    expect(parse('')).toMatchObject({
      watch: false,
      allowWatchBookmarks: false,
      resourceVersion: '',
      resourceVersionMatch: '',
      timeoutSeconds: undefined,
      limit: 0,
      continueToken: '',
      sendInitialEvents: undefined,
      labelSelector: { isEmpty: true },
      fieldSelector: { isEmpty: true },
    });
  });

  it('are read from the query, the first of several values counting', () => {
    const options = parse(
      'limit=5&limit=6&continue=abc&timeoutSeconds=30&labelSelector=a%3Db&fieldSelector=metadata.name%3Dx',
    );

    expect(options).toMatchObject({ limit: 5, continueToken: 'abc', timeoutSeconds: 30 });
    expect(options.labelSelector.toString()).toBe('a=b');
    expect(options.fieldSelector.toString()).toBe('metadata.name=x');
  });

  it.each([
    ['watch=true', true],
    ['watch=1', true],
    ['watch=', true],
    ['watch=x', true],
    ['watch=false', false],
    ['watch=FALSE', false],
    ['watch=0', false],
  ])('take %s for %s', (query, watch) => {
    expect(parse(query).watch).toBe(watch);
  });

  it.each([
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=99999999999999999999', 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ['timeoutSeconds=x&limit=y', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['labelSelector=a%3D%3D%3D&fieldSelector=x', "unable to parse requirement: found '=', expected: identifier"],
    ['labelSelector=,&limit=z', 'strconv.ParseInt: parsing "z": invalid syntax'],
    ['fieldSelector=x', "invalid selector: 'x'; can't understand 'x'"],
    ['fieldSelector=x%3D1', '"x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ])('%s are a bad request', (query, message) => {
    expect(refusal(query)).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it.each([
    ['resourceVersionMatch=Exact', ['resourceVersionMatch is forbidden unless resourceVersion is provided']],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      ['resourceVersionMatch "exact" is forbidden for resourceVersion "0"'],
    ],
    [
      'resourceVersion=5&resourceVersionMatch=Exact&continue=x',
      ['resourceVersionMatch is forbidden when continue is provided'],
    ],
    ['sendInitialEvents=false', ['sendInitialEvents is forbidden for list']],
    ['watch=1&sendInitialEvents=true', ['sendInitialEvents requires setting resourceVersionMatch to NotOlderThan']],
    [
      'watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1',
      ['resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'],
    ],
    ['watch=1&continue=x', ['resourceVersionMatch is forbidden when continue is provided']],
  ])('%s are invalid together', (query, problems) => {
    const error = refusal(query);

    expect(error).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { group: 'meta.k8s.io', kind: 'ListOptions' },
    });
    expect(error.details?.causes?.map(({ message }) => message)).toEqual(
      problems.map((problem) => `Forbidden: ${problem}`),
    );
    expect(error.message.startsWith('ListOptions.meta.k8s.io "" is invalid: ')).toBe(true);
  });

  it('name everything that is wrong at once', () => {
    expect(refusal('resourceVersionMatch=Bogus&continue=x').message).toBe(
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless ' +
        'resourceVersion is provided, resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is ' +
        'provided, resourceVersionMatch: Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan", ""]',
    );
    expect(refusal('watch=1&resourceVersionMatch=Bogus').message).toBe(
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch ' +
        'unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Bogus": supported values: "NotOlderThan"]',
    );
  });

  it.each([
    ['watch=1', true],
    ['watch=1&resourceVersion=0', true],
    ['watch=1&resourceVersion=7', undefined],
    ['watch=1&resourceVersion=0&sendInitialEvents=false&resourceVersionMatch=NotOlderThan', false],
    ['', undefined],
  ])('%j of a watch ask for the state at its start: %s', (query, sendInitialEvents) => {
    expect(parse(query).sendInitialEvents).toBe(sendInitialEvents);
  });
});
