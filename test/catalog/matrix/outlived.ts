import { a8s, a9s } from './postgresql.ts';
import { instance, on, type Row, type Spec } from './row.ts';

/** Claims that were accepted once, and would not be today: what becomes of their changes. */

/** A version and a plan that every service had in the earlier catalogue of these tests. */
export const oldVersion = 'a9s-old1';
export const oldPlan = 'old-single-nano';

const plans = {
  PostgresqlInstance: 'postgresql-single-nano',
  MariadbInstance: 'mariadb-single-nano',
  MongodbInstance: 'mongodbsspl-single-nano',
  MessagingInstance: 'messaging-single-nano',
  SearchInstance: 'search-single-nano-ssl',
  Logme2Instance: 'logme-single-small-ssl',
  KeyvalueInstance: 'keyvalue-single-nano-ssl',
  PrometheusInstance: 'prometheus-single-small',
};
const versions = {
  PostgresqlInstance: 'a9s-postgresql13',
  MariadbInstance: 'a9s-mariadb106',
  MongodbInstance: 'a9s-mongodb50',
  MessagingInstance: 'a9s-messaging310',
  SearchInstance: 'a9s-search2',
  Logme2Instance: 'a9s-logme2',
  KeyvalueInstance: 'a9s-keyvalue8',
  PrometheusInstance: 'a9s-prometheus',
};

const offers = Object.entries(plans).flatMap(([kind, plan]): readonly Row[] => {
  const before = instance(oldVersion, oldPlan);
  const version = versions[kind as keyof typeof versions];
  const isFrozen = kind === 'PrometheusInstance';
  return [
    { id: 'are not offered any more', kind, spec: before, refused: 'Unsupported plan used' },
    { id: 'are kept by other edits', kind, before, spec: { ...before, acceptsIncomplete: true } },
    { id: 'can be left', kind, before, spec: { ...before, plan }, refused: isFrozen ? 'not supported' : undefined },
    {
      id: 'are not left for what was never offered',
      kind,
      before,
      spec: { ...before, plan: 'huge' },
      refused: 'Unsupported plan used',
    },
    {
      id: 'have an immutable version',
      kind,
      before,
      spec: { ...before, service: version },
      refused: 'immutable field',
    },
  ];
});

/** Requirements that came later. */
const requirements = (
  [
    ['PostgresqlInstance', on(a9s, instance('a9s-postgresql15', 'postgresql-single-nano-bionic'))],
    [
      'PostgresqlInstance',
      on(a8s, instance('a9s-postgresql13', 'postgresql-single-nano', { dataChecksums: 'enabled' })),
    ],
    ['MariadbInstance', instance('a9s-mariadb1011', 'mariadb-single-nano')],
    ['KeyvalueInstance', instance('a9s-keyvalue8', 'keyvalue-single-nano-ssl', { replBacklogSize: '1mb' })],
  ] as readonly (readonly [string, Spec])[]
).flatMap(([kind, before]): readonly Row[] => [
  { id: 'may break requirements that came later', kind, before, spec: { ...before, acceptsIncomplete: true } },
  { id: 'are not offered any more', kind, spec: before, refused: 'support' },
]);

export const outlived: readonly Row[] = [...offers, ...requirements];
