import { isKlutchError } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { takeLogOptions } from './log-options.ts';

const take = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => takeLogOptions(args, env, 'program');

describe('what is said about logs', () => {
  it.each([
    ['program', 'json'],
    ['screen', 'pretty'],
    ['coloured screen', 'pretty'],
  ] as const)('is nothing at first: a %s reads %s', (reader, format) => {
    expect(takeLogOptions([], {}, reader)).toEqual({ logs: { level: 'info', format }, rest: [] });
  });

  it.each<[string[], NodeJS.ProcessEnv, object]>([
    [['--log-level', 'debug'], {}, { level: 'debug' }],
    [['--log-level=warn'], { LOG_LEVEL: 'debug' }, { level: 'warn' }],
    [['-log-level=ERROR'], {}, { level: 'error' }],
    [[], { LOG_LEVEL: 'DEBUG' }, { level: 'debug' }],
    [[], { LOG_LEVEL: '' }, { level: 'info' }],
    [['-v=4'], {}, { level: 'debug' }],
    [['-v', '6'], {}, { level: 'debug' }],
    [['-v9'], {}, { level: 'debug' }],
    [['--v=3'], {}, { level: 'info' }],
    [['-v=2'], { LOG_LEVEL: 'debug' }, { level: 'debug' }],
    [['-v=8', '--log-level=info'], {}, { level: 'info' }],
    [['--log-format=pretty'], {}, { format: 'pretty' }],
    [['--logging-format', 'text'], {}, { format: 'pretty' }],
    [['--logging-format=text', '--log-format', 'json'], {}, { format: 'json' }],
  ])('is understood: %j with %j', (args, env, expected) => {
    const { logs, rest } = take(args, env);

    expect(logs).toMatchObject(expected);
    expect(rest).toEqual([]);
  });

  it('is separated from everything else, in order', () => {
    const silenced = ['--vmodule=a=1', '--log-flush-frequency', '5s', '--log-json-split-stream'];
    const args = ['--lease-name', 'x', ...silenced, '--log-level', 'warn', '-v=2', '--control-plane-mode', 'stray'];

    expect(take(args).rest).toEqual(['--lease-name', 'x', '--control-plane-mode', 'stray']);
  });

  it.each<[string[], NodeJS.ProcessEnv, string]>([
    [['--log-level=loud'], {}, '--log-level must be one of debug, info, warn, error, not "loud".'],
    [[], { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, not "loud".'],
    [['--log-format=xml'], {}, '--log-format must be one of json, pretty, not "xml".'],
    [['--logging-format=xml'], {}, '--logging-format must be one of json, text, not "xml".'],
    [['-v=much'], {}, '-v must be a number, not "much".'],
    [['--log-level'], {}, '--log-level needs a value.'],
  ])('is refused when nobody can follow it: %j with %j', (args, env, message) => {
    const attempt = () => take(args, env);

    expect(attempt).toThrow(message);
    expect(attempt).toThrow(expect.toSatisfy((error: unknown) => isKlutchError(error, 'KLUTCH_USAGE')));
  });
});
