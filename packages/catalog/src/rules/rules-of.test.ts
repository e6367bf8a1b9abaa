import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Catalogue, Operation, Service } from '../model/catalogue.ts';
import { composed, database, field, plan, smallCatalogue } from '../render/catalogue.fixture.ts';
import { refusals } from './refusals.ts';
import type { Spec } from './rule.ts';
import { rulesOf } from './rules-of.ts';

/** A database on two backends with every kind of rule. */
const offer = database({
  traits: [
    { name: 'size', values: ['nano', 'small', 'big'], change: 'grow' },
    { name: 'ssl', values: ['no', 'yes'], change: 'never' },
    { name: 'colour', values: ['red', 'blue'], change: 'any' },
  ],
  plans: [
    plan('nano', { traits: { size: 'nano', ssl: 'no', colour: 'red' } }),
    plan('small', { traits: { size: 'small', ssl: 'no', colour: 'blue' } }),
    plan('big', { traits: { size: 'big', ssl: 'no', colour: 'red' }, backends: ['op', 'vendor'] }),
    plan('big-ssl', { traits: { size: 'big', ssl: 'yes', colour: 'red' }, backends: ['op', 'vendor'] }),
    plan('old', { traits: { size: 'big', ssl: 'no', colour: 'red' }, retired: true }),
  ],
  fields: [
    field('region', { immutable: true, targets: { op: [], vendor: [] } }),
    field('expose', { targets: { op: [], vendor: 'ignored' } }),
  ],
  requirements: [
    {
      when: [{ is: 'trait', trait: 'ssl', in: ['yes'] }],
      // oxlint-disable-next-line unicorn/no-thenable -- a word of the catalogue, never awaited
      then: [
        { is: 'version', in: ['db2'] },
        { is: 'set', field: 'region' },
      ],
      message: 'Plans with ssl need db2 and a region.',
    },
  ],
});
const catalogue: Catalogue = { ...smallCatalogue(), services: [offer] };

const rules = rulesOf(offer, catalogue);
const refused = (now: Spec, before?: Spec) => refusals(rules, now, before).map(({ id }) => id);
const small = { service: 'db2', plan: 'small' };

describe('rules of a service', () => {
  it.each<[string, Spec, readonly string[]]>([
    ['the default backend', small, []],
    ['a named backend', { ...small, compositionRef: { name: 'op-database' } }, []],
    ['an unknown backend', { ...small, compositionRef: { name: 'my-database' } }, ['compositionRef.offered']],
    ['an empty name of a backend', { ...small, compositionRef: { name: '' } }, ['compositionRef.offered']],
    ['a plan of another backend', { ...small, compositionRef: { name: 'vendor-database' } }, ['plan.offered.vendor']],
    ['an unknown plan', { ...small, plan: 'huge' }, ['plan.offered.op']],
    ['a retired plan', { ...small, plan: 'old' }, ['plan.offered.op']],
    ['a retired version', { ...small, service: 'db1' }, ['service.offered.op']],
    ['a parameter', { ...small, parameters: { ciphers: 'x' } }, []],
    [
      'a parameter of another backend',
      { service: 'db2', plan: 'big', compositionRef: { name: 'vendor-database' }, parameters: { ciphers: 'x' } },
      ['parameters.ciphers.backend'],
    ],
    ['a field that the backend ignores', { ...small, expose: 'yes' }, []],
    ['a requirement', { service: 'db2', plan: 'big-ssl', region: 'eu' }, []],
    ['a requirement that is not met', { service: 'db2', plan: 'big-ssl' }, ['requirement.1']],
    ['a requirement that is met by an empty text', { service: 'db2', plan: 'big-ssl', region: '' }, ['requirement.1']],
  ])('judge a new claim with %s', (_, now, ids) => {
    expect(refused(now)).toEqual(ids);
  });

  it.each<[string, Spec, Spec, readonly string[]]>([
    ['nothing', small, small, []],
    ['a larger plan', small, { ...small, plan: 'big' }, []],
    ['a smaller plan', small, { ...small, plan: 'nano' }, ['plan.size.grows']],
    [
      'a plan that differs where it must not',
      { ...small, region: 'eu' },
      { ...small, plan: 'big-ssl', region: 'eu' },
      ['plan.ssl.kept'],
    ],
    ['another version', { ...small, service: 'db1' }, small, ['service.kept']],
    ['a field that is immutable', { ...small, region: 'eu' }, { ...small, region: 'us' }, ['region.kept']],
    ['a field that is immutable, for the first time', small, { ...small, region: 'us' }, []],
    ['the backend that the engine chose', small, { ...small, compositionRef: { name: 'op-database' } }, []],
    [
      'another backend',
      { service: 'db2', plan: 'big', compositionRef: { name: 'op-database' } },
      { service: 'db2', plan: 'big', compositionRef: { name: 'vendor-database' } },
      ['compositionRef.kept'],
    ],
    ['no backend any more', { ...small, compositionRef: { name: 'op-database' } }, small, ['compositionRef.kept']],
    [
      'the default backend to one that has not got the plan',
      small,
      { ...small, compositionRef: { name: 'vendor-database' } },
      ['plan.offered.vendor'],
    ],
    ['a retired plan to one that is offered', { ...small, plan: 'old' }, { ...small, plan: 'big' }, []],
    ['a plan that is gone to another', { ...small, plan: 'gone' }, { ...small, plan: 'nano' }, []],
    [
      'a plan that is gone to an unknown one',
      { ...small, plan: 'gone' },
      { ...small, plan: 'lost' },
      ['plan.offered.op'],
    ],
  ])('judge the change to %s', (_, before, now, ids) => {
    expect(refused(now, before)).toEqual(ids);
  });

  it('refuse every change of the plan where it is frozen', () => {
    const frozen = rulesOf({ ...offer, planChange: 'never' }, catalogue);
    expect(refusals(frozen, { ...small, plan: 'big' }, small).map(({ id }) => id)).toEqual(['plan.kept']);
  });

  it('never hold against a claim what it does not change', () => {
    const word = fc.constantFrom('', 'db1', 'db2', 'nano', 'big-ssl', 'old', 'gone', 'op-database', 'vendor-database');
    const anySpec = fc.record(
      {
        service: word,
        plan: word,
        region: word,
        compositionRef: fc.record({ name: word }),
        parameters: fc.record({ ciphers: word }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anySpec, (spec) => {
        expect(refused({ ...spec, note: 'new' }, spec)).toEqual([]);
      }),
    );
  });

  it('are one where two say the same', () => {
    const traits = ['nodes', 'zones'].map((name) => ({ name, values: ['one', 'three'], change: 'never' as const }));
    const plans = ['one', 'three'].map((count) => plan(count, { traits: { nodes: count, zones: count } }));
    const alike = rulesOf({ ...offer, traits, plans }, catalogue).filter(({ id }) => id.startsWith('plan.nodes'));
    expect(alike.map(({ message }) => message)).toEqual([
      'Changing the nodes of a plan is not supported: choose a plan with the same nodes. ' +
        'Changing the zones of a plan is not supported: choose a plan with the same zones.',
    ]);
  });

  it('have ids of their own', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('rules of an operation', () => {
  const [fixture] = smallCatalogue().operations as readonly [Operation];
  const targets = { op: [], vendor: [] };
  const backup: Operation = {
    ...fixture,
    fields: [field('serviceInstanceType', { required: true, targets }), field('pointInTime')],
  };
  const on = (name: string, ...backends: readonly string[]): Service =>
    database({
      name,
      backends: backends.map((backend) => ({
        name: backend,
        composed: composed(),
        parametersAt: 'spec',
        operations: ['backup'],
        credentials: [],
      })),
    });
  const two: Catalogue = {
    operations: [backup],
    services: [on('database', 'op', 'vendor'), on('search', 'vendor'), on('cache')],
    backends: smallCatalogue().backends.map((one) => ({ ...one, operations: { backup: composed() } })),
  };

  it.each<[string, Spec, readonly string[]]>([
    ['a service of the default backend', { serviceInstanceType: 'database' }, []],
    [
      'a service that has no backups',
      { serviceInstanceType: 'cache', compositionRef: { name: 'my-backup' } },
      ['serviceInstanceType.offered'],
    ],
    ['a service of another backend', { serviceInstanceType: 'search' }, ['serviceInstanceType.offered.op']],
    ['its backend', { serviceInstanceType: 'search', compositionRef: { name: 'vendor-backup' } }, []],
    ['an unknown backend', { serviceInstanceType: 'search', compositionRef: { name: 'my-backup' } }, []],
    ['a field that no backend takes', { serviceInstanceType: 'database', pointInTime: 'now' }, ['pointInTime.backend']],
    [
      'a field that an unknown backend may take',
      { serviceInstanceType: 'database', pointInTime: 'now', compositionRef: { name: 'my-backup' } },
      [],
    ],
  ])('judge a new claim with %s', (_, spec, ids) => {
    expect(refusals(rulesOf(backup, two), spec).map(({ id }) => id)).toEqual(ids);
  });
});
