import { describe, expect, it } from 'vitest';
import { type Logger, silentLogger, withFields } from './logger.ts';

describe('logger', () => {
  it('adds fields to every line, of which those of the line win', () => {
    const lines: unknown[] = [];
    const write = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
    const log: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };

    const named = withFields(log, { controller: 'instances', name: 'a' });
    named.debug({}, 'one');
    named.info({ name: 'b' }, 'two');
    named.warn({}, 'three');
    named.error({ reason: 'Gone' }, 'four');

    expect(lines).toEqual([
      ['debug', { controller: 'instances', name: 'a' }, 'one'],
      ['info', { controller: 'instances', name: 'b' }, 'two'],
      ['warn', { controller: 'instances', name: 'a' }, 'three'],
      ['error', { controller: 'instances', name: 'a', reason: 'Gone' }, 'four'],
    ]);
  });

  it('can be silent', () => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      expect(silentLogger[level]({}, 'nobody hears this')).toBeUndefined();
    }
  });
});
