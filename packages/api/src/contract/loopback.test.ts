import { describe, expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

describe('an address', () => {
  it.each<[string, boolean]>([
    ['http://localhost', true],
    ['http://127.0.0.1:80', true],
    ['http://127.1.2.3', true],
    ['http://[::1]:8080/x', true],
    ['http://localhost.evil.example', false],
    ['http://127.0.0.1.evil.example', false],
    ['http://localhost@evil.example', false],
    ['http://[::2]', false],
    ['http://0.0.0.0', false],
    ['http://10.0.0.1', false],
  ])('%s is of this machine: %s', (text, verdict) => {
    expect(isLoopback(new URL(text))).toBe(verdict);
  });
});
