import { describe, expect, it } from 'vitest';
import { requestUrl } from './request-url.ts';

describe('requestUrl', () => {
  it.each([
    ['/api/v1/pods?watch=1', '/api/v1/pods', '?watch=1'],
    ['//other.host/api', '//other.host/api', ''],
    ['//x%20y/api', '//x%20y/api', ''],
    ['https://127.0.0.1:6443/version', '/version', ''],
    [undefined, '/', ''],
  ])('takes %s apart', (url, pathname, search) => {
    expect(requestUrl({ url })).toMatchObject({ pathname, search });
  });

  it.each(['*', 'version', 'http://'])('refuses %s', (url) => {
    expect(() => requestUrl({ url })).toThrow(expect.objectContaining({ code: 400 }));
  });
});
