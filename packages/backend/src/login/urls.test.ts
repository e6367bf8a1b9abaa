import { describe, expect, it } from 'vitest';
import { urlOf } from './urls.ts';

describe('an address', () => {
  it('is undefined when a text is none', () => {
    expect(urlOf('https://x.example/')?.host).toBe('x.example');
    expect(urlOf('x')).toBeUndefined();
  });
});
