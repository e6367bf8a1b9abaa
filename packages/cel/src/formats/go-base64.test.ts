import { describe, expect, it } from 'vitest';
import { corruptBase64Url } from './go-base64.ts';

describe('where base64 for URLs is wrong', () => {
  it.each<[string, number | undefined]>([
    ['', undefined],
    ['YWJj', undefined],
    ['YQ==', undefined],
    ['YWI=', undefined],
    ['YW_-', undefined],
    ['YW\nJj\r\n', undefined],
    ['YWJ', 0],
    ['YWJjY', 4],
    ['YQ=', 3],
    ['YQ=a', 2],
    ['YWI=x', 4],
    ['Y===', 1],
    ['=', 0],
    ['YW+j', 2],
    ['é', 0],
  ])('%j', (text, at) => {
    expect(corruptBase64Url(text)).toBe(at);
  });
});
