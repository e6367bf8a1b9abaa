import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binderRoleName,
  controlPlaneKonnectorName,
  distinctName,
  goBindingRootNamespaceName,
  goServiceNamespaceName,
  legacyKonnectorRoleName,
  maxNameLength,
  prefixedName,
} from './tenant-names.ts';

describe('names the Go backend gives', () => {
  const binding = { namespace: 'team', name: 'prod' };

  it.each([
    ['role of an app cluster', binderRoleName('cluster-m4n8p'), 'klutch-binder-cluster-m4n8p'],
    ['service namespace', goServiceNamespaceName('cluster-m4n8p', 'team-a'), 'cluster-m4n8p-team-a'],
    ['root namespace', goBindingRootNamespaceName(binding), 'klutch-bind-team-prod'],
    ['konnector on the control plane', controlPlaneKonnectorName('prod'), 'konnector-prod'],
    ['role of an early konnector', legacyKonnectorRoleName(binding), 'klutch-konnector-team-prod'],
    ['prefixed object', prefixedName('cluster-m4n8p', 'w1'), 'cluster-m4n8p-w1'],
  ])('%s', (_, name, expected) => {
    expect(name).toBe(expected);
  });
});

describe('a distinct name', () => {
  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);

  it('differs where plain concatenation does not', () => {
    expect(goServiceNamespaceName('a-b', 'c')).toBe(goServiceNamespaceName('a', 'b-c'));
    expect(distinctName('a-b', 'c')).not.toBe(distinctName('a', 'b-c'));
  });

  it('begins with what it stands for', () => {
    expect(distinctName('cluster-m4n8p', 'team-a')).toMatch(/^cluster-m4n8p-team-a-[0-9a-f]{10}$/);
  });

  it('is always a namespace name, and always the same', () => {
    fc.assert(
      fc.property(label, label, (a, b) => {
        const name = distinctName(a, b);

        expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        expect(name.length).toBeLessThanOrEqual(maxNameLength);
        expect(distinctName(a, b)).toBe(name);
      }),
    );
  });

  it('differs for different parts', () => {
    fc.assert(
      fc.property(label, label, label, label, (a, b, c, d) => {
        fc.pre(a !== c || b !== d);

        expect(distinctName(a, b)).not.toBe(distinctName(c, d));
      }),
    );
  });
});
