import { describe, expect, it } from 'vitest';
import { compareKubeVersions } from './kube-version.ts';

describe('compareKubeVersions', () => {
  it('prefers stable over beta over alpha, then high numbers, then the alphabet', () => {
    const versions = [
      'foo10',
      'v1alpha1',
      'v11beta2',
      'v1',
      'v10',
      'foo1',
      'v3beta1',
      'v2',
      'v12alpha1',
      'v11alpha2',
      'v10beta3',
      'v1alpha2',
    ];

    expect(versions.sort(compareKubeVersions)).toEqual([
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'v1alpha2',
      'v1alpha1',
      'foo1',
      'foo10',
    ]);
  });

  it('finds equal versions equal', () => {
    expect(compareKubeVersions('v1beta1', 'v1beta1')).toBe(0);
    expect(compareKubeVersions('foo', 'foo')).toBe(0);
  });
});
