import { describe, expect, it } from 'vitest';
import { defaultLayer } from '../default-layer.ts';
import { readCatalogue } from '../model/read-catalogue.ts';
import { judgeOf } from './judge-claim.ts';

const { catalogue } = readCatalogue([await defaultLayer()]);
if (!catalogue) throw new Error('the default catalogue has problems');
const judge = judgeOf(catalogue);

const postgresql = (spec: object = {}, rest: object = {}) => ({
  apiVersion: 'anynines.com/v1',
  kind: 'PostgresqlInstance',
  metadata: { name: 'orders', namespace: 'shop' },
  spec: { service: 'a9s-postgresql14', plan: 'postgresql-single-nano', ...spec },
  ...rest,
});

describe('judging a claim without a cluster', () => {
  it('accepts what is offered', () => {
    expect(judge(postgresql())).toEqual({ accepted: true });
    expect(judge(postgresql({ expose: null }))).toEqual({ accepted: true });
    expect(judge(postgresql({ plan: 'postgresql-replica-big' }), postgresql())).toEqual({ accepted: true });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['an unknown kind', { ...postgresql(), kind: 'PostgreSQLInstance' }, 'kind', /offers .*PostgresqlInstance/],
    ['no object', 'claim', 'kind', /unknown kind ""/],
    ['another apiVersion', postgresql({}, { apiVersion: 'v1' }), 'apiVersion', /offered by anynines\.com\/v1/],
    [
      'an unknown field',
      postgresql({ plna: 'x' }),
      'spec.plna',
      /^unknown field "spec\.plna": .*compositionRef.* plan/,
    ],
    ['an unknown field below', postgresql({ parameters: { a: 1 } }), 'spec.parameters.a', /are archiveTimeout, /],
    ['no name', postgresql({}, { metadata: {} }), 'metadata.name', /^Required value: name or generateName/],
    ['a wrong name', postgresql({}, { metadata: { name: 'A b' } }), 'metadata.name', /lower case/],
    ['a long name', postgresql({}, { metadata: { name: 'a'.repeat(64) } }), 'metadata.name', /63/],
    ['a missing plan', postgresql({ plan: null }), 'spec.plan', /^Required value/],
    ['a wrong type', postgresql({ parameters: { workMem: 1 } }), 'spec.parameters.workMem', /must be of type string/],
    ['a wrong choice', postgresql({ expose: 'x' }), 'spec.expose', /supported values: "Internal", "LoadBalancer"/],
    [
      'a low number',
      postgresql({ parameters: { walWriterDelay: 0 } }),
      'spec.parameters.walWriterDelay',
      /or equal to 1 /,
    ],
    [
      'an unknown plan',
      postgresql({ plan: 'big' }),
      'spec.plan',
      /^Unsupported plan used: a8s-postgresql \(the default\)/,
    ],
  ])('refuses %s and says what is allowed', (_, claim, field, message) => {
    const verdict = judge(claim);
    expect(verdict).toMatchObject({ accepted: false });
    const refusals = 'refusals' in verdict ? verdict.refusals : [];
    expect(refusals.find((refusal) => refusal.field === field)?.message).toMatch(message);
  });

  it('refuses a change that a new claim could have', () => {
    const smaller = postgresql();
    const larger = postgresql({ plan: 'postgresql-single-big' });
    expect(judge(smaller, larger)).toEqual({
      accepted: false,
      refusals: [
        {
          field: 'spec.plan',
          message:
            'Changing to a smaller plan size is not supported: size may only grow in the order nano, small, medium, big.',
        },
      ],
    });
  });
});
