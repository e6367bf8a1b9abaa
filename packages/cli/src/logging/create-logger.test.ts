import { KlutchError } from '@klutch/api';
import { KubeError } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import type { Reader } from '../terminal/terminal.ts';
import { createLogger } from './create-logger.ts';
import type { LogOptions } from './log-options.ts';

/** A logger, and the lines it has written. */
function logging(options: Partial<LogOptions> = {}, reader: Reader = 'program') {
  const lines: string[] = [];
  const log = createLogger(
    { level: 'debug', format: 'json', ...options },
    { reader, tell: (line) => void lines.push(line) },
  );
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const thrownBy = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return error;
  }
};

describe('a log for programs', () => {
  it('is one JSON line with a constant message and keys', () => {
    const { log, lines, entries } = logging();

    log.warn({ cluster: 'app', namespace: 'team', name: 'db\n2' }, 'object waits');

    expect(entries()).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        cluster: 'app',
        namespace: 'team',
        name: 'db\n2',
        msg: 'object waits',
      },
    ]);
    expect(lines[0]).not.toContain('\n');
  });

  it('leaves out what is below its level', () => {
    const { log, entries } = logging({ level: 'warn' });

    log.debug({}, 'a');
    log.info({}, 'b');
    log.warn({}, 'c');
    log.error({}, 'd');

    expect(entries().map(({ level }) => level)).toEqual(['warn', 'error']);
  });

  it('tells of an error its code and message, and neither stack nor cause', () => {
    const { log, entries } = logging();
    const cause = new Error('unexpected "s3cret" in line 1');

    log.error({ err: new KlutchError('KLUTCH_USAGE', 'It is so.', { cause }) }, 'failed');
    log.error({ err: new KubeError('KUBE_INVALID', 'It is so.', { cause, status: 422 }) }, 'failed');
    log.error({ err: 'given up' }, 'failed');

    expect(entries().map(({ err }) => err)).toEqual([
      { code: 'KLUTCH_USAGE', message: 'It is so.' },
      { code: 'KUBE_INVALID', message: 'It is so.' },
      { message: 'given up' },
    ]);
  });

  it('tells where an error comes from that nobody foresaw', () => {
    const { log, entries } = logging();

    log.error({ err: new TypeError('x is undefined') }, 'failed');

    expect(entries()[0]).toMatchObject({
      err: {
        message: 'TypeError: x is undefined',
        at: expect.arrayContaining([expect.stringContaining('create-logger.test')]),
      },
    });
  });

  it('quotes nothing of a text that cannot be parsed', () => {
    const { log, lines } = logging();

    log.error({ err: thrownBy(() => JSON.parse('s3cret')) }, 'failed');

    expect(lines.join('')).toContain('SyntaxError');
    expect(lines.join('')).not.toMatch(/s3c/);
  });

  it('hides values that are secret by their name', () => {
    const { log, lines } = logging();

    log.info({ token: 's3cret', request: { authorization: 's3cret' }, secret: { data: { a: 's3cret' } } }, 'careless');

    expect(lines.join('')).toContain('(hidden)');
    expect(lines.join('')).not.toContain('s3cret');
  });
});

describe('a log for people', () => {
  it('is a line with time, level, message, keys and problem', () => {
    const { log, lines } = logging({ format: 'pretty' }, 'screen');

    log.info({ lease: 'kube-system/klutch-bind', workers: 4, note: 'two words' }, 'became leader');
    log.warn({ err: new KlutchError('KLUTCH_USAGE', 'It is so.') }, 'failed');
    log.error({ err: new TypeError('x is undefined') }, 'failed');

    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3} /, ''))).toEqual([
      'INFO  became leader lease=kube-system/klutch-bind workers=4 note="two words"',
      'WARN  failed [KLUTCH_USAGE] It is so.',
      expect.stringMatching(/^ERROR failed TypeError: x is undefined \(at .*create-logger\.test.*\)$/),
    ]);
  });

  it('has colours where they can be seen', () => {
    const { log, lines } = logging({ format: 'pretty' }, 'coloured screen');

    log.warn({}, 'careful');

    expect(lines[0]).toContain('\u001b[33mWARN \u001b[0m careful');
  });

  it('lets nobody else write to the screen', () => {
    const { log, lines } = logging({ format: 'pretty' }, 'screen');
    const hostile = '\u001b[2J\u001b]0;title\u0007fake\nline\u202e\u009b1m';

    log.warn({ name: hostile, err: new KlutchError('KLUTCH_USAGE', hostile) }, 'object refused');

    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines[0]).toContain('fake line');
  });
});
