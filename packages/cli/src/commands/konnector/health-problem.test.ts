import { describe, expect, it } from 'vitest';
import { healthProblem } from './health-problem.ts';

/** An error of the health server, as a system call has caused it. */
function refused(code: string, syscall: string): Error {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return Object.assign(new Error('cannot listen', { cause }), { code });
}

describe('a konnector that cannot serve health and metrics', () => {
  it.each([
    [refused('EADDRINUSE', 'listen'), { port: 8080 }, 'KLUTCH_HEALTH_PORT_IN_USE', 'Port 8080 for health'],
    [refused('EACCES', 'listen'), { port: 80 }, 'KLUTCH_HEALTH_PORT_REFUSED', 'served at port 80 (EACCES)'],
    [
      refused('ENOTFOUND', 'getaddrinfo'),
      { host: 'nowhere', port: 80 },
      'KLUTCH_HEALTH_PORT_REFUSED',
      'served at nowhere, port 80 (ENOTFOUND)',
    ],
  ])('says what to do about %s', (error, health, code, text) => {
    const problem = healthProblem(error, health);

    expect(problem).toMatchObject({ code, message: expect.stringContaining(text), cause: error });
    expect(problem?.message).toMatch(/; choose another .*--health-port.*\.$/);
  });

  it.each([
    [new Error('x'), { port: 1 }],
    [refused('ECONNREFUSED', 'connect'), { port: 1 }],
    [refused('EADDRINUSE', 'listen'), undefined],
    ['text', { port: 1 }],
  ])('is not taken for one that fails otherwise: %s', (error, health) => {
    expect(healthProblem(error, health)).toBeUndefined();
  });
});
