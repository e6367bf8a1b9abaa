import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/catalogue.ts';
import { preview } from '../preview/preview.ts';
import type { Offering } from './composing.ts';
import type { Judge } from '../rules/judge-claim.ts';
import { effectOn } from './effects.ts';

const accepts: Judge = () => ({ accepted: true });
const refuses = (message: string) => ({ accepted: false, refusals: [{ field: 'spec.plan', message }] }) as const;

function composition(memory: JsonObject, base: JsonObject = { apiVersion: 'x.org/v1', kind: 'Database' }): JsonObject {
  const patches: readonly JsonObject[] = [
    { fromFieldPath: 'spec.plan', toFieldPath: 'spec.memory', transforms: [{ type: 'map', map: memory }] },
    { fromFieldPath: 'spec.parameters.slots', toFieldPath: 'spec.slots' },
  ];
  const input = { resources: [{ name: 'db', base, patches }] };
  return { spec: { mode: 'Pipeline', pipeline: [{ functionRef: { name: 'function-patch-and-transform' }, input }] } };
}

const names = {
  group: 'anynines.com',
  names: { kind: 'XDb', plural: 'xdbs' },
  claimNames: { kind: 'Db', plural: 'dbs' },
};

function definition(parameters: readonly string[] = ['slots'], more: JsonObject = {}): JsonObject {
  const fields = Object.fromEntries(parameters.map((name) => [name, { type: 'integer' }]));
  const spec = { properties: { plan: { type: 'string' }, parameters: { type: 'object', properties: fields } } };
  const schema = { openAPIV3Schema: { properties: { spec } } };
  return {
    kind: 'CompositeResourceDefinition',
    metadata: { name: 'xdbs.anynines.com' },
    spec: {
      ...names,
      defaultCompositionRef: { name: 'main' },
      ...more,
      versions: [{ name: 'v1', referenceable: true, schema }],
    },
  };
}

function offering(memory: JsonObject, more: Partial<Offering> = {}): Offering {
  return { definition: definition(), compositions: { main: composition(memory) }, ...more };
}

function instance(spec: JsonObject) {
  const claim = { apiVersion: 'anynines.com/v1', kind: 'Db', metadata: { name: 'a', namespace: 't' }, spec };
  return { claim, tenant: { name: 'acme', clusterNamespace: 'cluster-acme' } };
}

const nano = { nano: '1Gi' };
const more = { nano: '2Gi' };

describe('what a change of the catalogue does to an instance', () => {
  it('is nothing when nothing of it changes', () => {
    const effect = effectOn(
      instance({ plan: 'nano' }),
      offering({ ...nano, big: '8Gi' }),
      offering({ ...nano, big: '9Gi' }),
      accepts,
    );
    expect(effect).toMatchObject({ findings: [], changes: [] });
  });

  it('is a change of what is composed, field by field', () => {
    const effect = effectOn(instance({ plan: 'nano' }), offering(nano), offering(more), accepts);
    expect(effect.changes).toEqual([{ path: 'db.spec.memory', before: '1Gi', after: '2Gi' }]);
    expect(effect.findings).toEqual([
      { is: 'changes', sentence: 'What is composed from it changes in db.spec.memory.' },
    ]);
  });

  it.each<[string, JsonObject, Offering, string]>([
    [
      'cannot be composed',
      { plan: 'nano' },
      offering({ big: '8Gi' }),
      'Composition main could not compose it any more',
    ],
    [
      'loses a parameter that it uses',
      { plan: 'nano', parameters: { slots: 3 } },
      offering(nano, { definition: definition([]) }),
      'It loses spec.parameters.slots, which is no longer offered.',
    ],
    [
      'becomes another object',
      { plan: 'nano' },
      offering(nano, { compositions: { main: composition(nano, { apiVersion: 'y.org/v1', kind: 'Database' }) } }),
      'Its composed object db would be deleted, with its data.',
    ],
  ])('breaks one that %s', (_, spec, after, sentence) => {
    const { findings } = effectOn(instance(spec), offering(nano), after, accepts);
    expect(findings).toContainEqual({ is: 'breaks', sentence: expect.stringContaining(sentence) });
  });

  it('breaks one whose edits would be refused', () => {
    const after = offering(nano, { definition: definition(['slots', 'x']) });
    const { findings } = effectOn(instance({ plan: 'nano' }), offering(nano), after, () =>
      refuses('Slots are required.'),
    );
    expect(findings).toEqual([
      { is: 'breaks', sentence: 'Every edit of it would be refused: spec.plan: Slots are required.' },
    ]);
  });

  it('strands one that nobody could create any more', () => {
    const after = offering(nano, { definition: definition(['slots', 'x']) });
    const judge: Judge = (_, before) => (before ? { accepted: true } : refuses('Choose another plan.'));
    const { findings } = effectOn(instance({ plan: 'nano' }), offering(nano), after, judge);
    expect(findings).toEqual([
      { is: 'stranded', sentence: expect.stringMatching(/can be edited.*Choose another plan\.$/) },
    ]);
  });

  it('asks no rules when the definition stays', () => {
    const { findings } = effectOn(instance({ plan: 'nano' }), offering(nano), offering(nano), () => refuses('no'));
    expect(findings).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['takes over revisions by hand', { compositionUpdatePolicy: 'Manual' }, {}],
    ['does so because its definition says it', {}, { defaultCompositionUpdatePolicy: 'Manual' }],
    ['names another Composition', { compositionRef: { name: 'other' } }, {}],
  ])('is nothing for one that %s', (_, spec, ofDefinition) => {
    const of = (memory: JsonObject): Offering => ({
      definition: definition(['slots'], ofDefinition),
      compositions: { main: composition(memory), other: composition(nano) },
    });
    expect(effectOn(instance({ plan: 'nano', ...spec }), of(nano), of(more), accepts).findings).toEqual([]);
  });

  it.each<[string, Offering]>([
    ['has an unknown step', offering(nano, { compositions: { main: { spec: { mode: 'Resources' } } } })],
    ['is gone', offering(nano, { compositions: {} })],
  ])('cannot be told when the Composition %s', (_, after) => {
    const { findings } = effectOn(instance({ plan: 'nano' }), offering(nano), after, accepts);
    expect(findings).toEqual([{ is: 'unknown', sentence: expect.stringMatching(/^It cannot be told/) }]);
  });

  it('does not repeat what was so before', () => {
    expect(effectOn(instance({ plan: 'gone' }), offering(nano), offering(more), accepts).findings).toEqual([]);
  });

  it('changes exactly those of which something else is composed', () => {
    const sizes = fc.dictionary(fc.constantFrom('nano', 'small', 'big'), fc.constantFrom('1Gi', '2Gi'));
    const plans = fc.constantFrom('nano', 'small', 'big');
    const policies = fc.constantFrom('Manual', 'Automatic');
    fc.assert(
      fc.property(sizes, sizes, plans, policies, (was, becomes, plan, policy) => {
        const one = instance({ plan, compositionUpdatePolicy: policy });
        const { findings, changes } = effectOn(one, offering(was), offering(becomes), accepts);
        const [a, b] = [preview(composition(was), one.claim), preview(composition(becomes), one.claim)];
        const isManual = policy === 'Manual';
        const isChanged = !isManual && b.is === 'value' && JSON.stringify(a) !== JSON.stringify(b);
        expect(changes.length > 0).toBe(isChanged);
        expect(findings.some(({ is }) => is === 'breaks')).toBe(!isManual && b.is === 'fails' && a.is !== 'fails');
        expect(findings.some(({ is }) => is === 'unknown')).toBe(false);
      }),
    );
  });
});
