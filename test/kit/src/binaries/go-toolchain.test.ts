import { describe, expect, it } from 'vitest';

import { findGo, judgeGo } from './go-toolchain.ts';

describe('Go toolchain', () => {
  it.each([
    ['go version go1.25.0 linux/amd64', { usable: true, version: '1.25.0' }],
    ['go version go1.25 linux/amd64', { usable: true, version: '1.25' }],
    ['go version go1.26rc1 darwin/arm64', { usable: true, version: '1.26rc1' }],
    ['go version go2.0.1 linux/amd64', { usable: true, version: '2.0.1' }],
    ['go version devel +abc Mon linux/amd64', { usable: true, version: 'go version devel +abc Mon linux/amd64' }],
    [
      'go version go1.24.9 linux/amd64',
      { usable: false, reason: 'Go 1.24.9 is installed, but 1.25 or later is needed' },
    ],
    ['go version go1.9 linux/amd64', { usable: false, reason: 'Go 1.9 is installed, but 1.25 or later is needed' }],
  ])('judges "%s"', (answer, verdict) => {
    expect(judgeGo(answer, '1.25')).toEqual(verdict);
  });

  it('says what is missing when there is no Go in the PATH', async () => {
    expect(await findGo('1.25', { PATH: '/nowhere' })).toEqual({
      usable: false,
      reason: 'Go 1.25 or later is not installed',
    });
  });
});
