import { describe, expect, it } from 'vitest';
import { defaultMetadataRules } from './metadata-rules.ts';
import { travellingMetadata } from './travelling-metadata.ts';

const annotated = (...keys: string[]) => ({ annotations: Object.fromEntries(keys.map((key) => [key, 'x'])) });
const travels = (patterns: readonly string[], ...keys: string[]) =>
  Object.keys(travellingMetadata(annotated(...keys), { labels: [], annotations: patterns }).annotations);

describe('labels and annotations that travel', () => {
  it('are all by default, with their values', () => {
    const metadata = { labels: { team: 'a' }, annotations: { 'example.org/note': 'hi' } };
    expect(travellingMetadata(metadata, defaultMetadataRules)).toEqual(metadata);
    expect(travellingMetadata({}, defaultMetadataRules)).toEqual({ labels: {}, annotations: {} });
  });

  it.each([
    'klutch.anynines.com/bound',
    'example-backend.klutch.anynines.com/identity',
    'bind.anynines.com/x',
    'kubectl.kubernetes.io/last-applied-configuration',
    'kubernetes.io/name',
    'app.kubernetes.io/instance',
    'foo.k8s.io/x',
    'crossplane.io/external-name',
    'meta.crossplane.io/x',
  ])('are never %s, whatever the patterns say', (key) => {
    expect(travels(['*', key], key)).toEqual([]);
  });

  it.each(['notkubernetes.io/x', 'kubernetes.io.example.org/x', 'k8s.io', 'example.org/klutch.anynines.com'])(
    'may be %s, which only looks like one of those',
    (key) => {
      expect(travels(['*'], key)).toEqual([key]);
    },
  );

  it.each<[string, string, boolean]>([
    ['team', 'team', true],
    ['team', 'teams', false],
    ['cost-*', 'cost-center', true],
    ['cost-*', 'cost-', true],
    ['cost-*', 'a-cost-center', false],
    ['*/owner', 'example.org/owner', true],
    ['*/owner', 'example.org/owners', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'ac', false],
    ['aa*aa', 'aaa', false],
    ['*a*', 'bab', true],
    ['', 'x', false],
  ])('fit their pattern: %s and %s: %s', (pattern, key, fits) => {
    expect(travels([pattern], key)).toEqual(fits ? [key] : []);
  });
});
