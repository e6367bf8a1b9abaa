import { describe, expect, it } from 'vitest';
import { definitionFileProblems } from './definition-file.ts';

const written = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
spec:
  group: example.org
  names: { kind: XBucket, plural: xbuckets }
  claimNames: { kind: Bucket, plural: buckets }
  versions:
    - name: v1
      served: true
      referenceable: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              properties:
                region: { type: string, maxLength: 10 }
              x-kubernetes-validations:
                - rule: self.region == oldSelf.region
`;

const problemsOf = (text: string) =>
  definitionFileProblems({ path: 'own.yaml', text }).map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('a definition that was written by hand', () => {
  it('is in order when Crossplane and Kubernetes take it', () => {
    expect(problemsOf(written)).toEqual([]);
  });

  it.each<[string, string, string, RegExp]>([
    ['no YAML', 'spec:', 'spec: [', /^\d+:\d+ This is not valid YAML/],
    ['another kind', 'kind: Composite', 'kind: Kompositum', /^2:7 "KompositumResourceDefinition" is not known here/],
    ['no group', '  group: example.org\n', '', /^5:1 "group" is missing/],
    ['no versions', /versions:[^]*/.exec(written)?.[0] ?? '', 'versions: []\n', /^9:13 The list must not be empty/],
    ['a field without a type', 'type: string, ', '', /^19:\d+ .*type/],
    ['a rule about a field that is not there', 'self.region ==', 'self.regoin ==', /^1:1 .*undefined field 'regoin'/],
    [
      'a plural that Kubernetes refuses',
      'plural: buckets',
      'plural: Buckets',
      /^1:1 .*Buckets\.example\.org: its name is not allowed/,
    ],
  ])('is told that it has %s', (_, from, to, problem) => {
    expect(written).toContain(from);
    expect(problemsOf(written.replace(from, to))[0]).toMatch(problem);
  });
});
