/** An answer that a client of the embedded server gets instead of the one of Kubernetes. */
export interface OtherAnswer {
  readonly status: number;
  /** Fields that the body has at least. */
  readonly body?: object;
}

/** Something that the embedded server does not do as Kubernetes does, and is not meant to. */
export interface Difference {
  /** What it does not do. This and {@link gets} are a row of the table in the README of `@klutch/apiserver`. */
  readonly what: string;
  /** What a client gets. */
  readonly gets: string;
  /** Checks that fail because of it, by id (`area: title`), and an answer that a client gets during each. */
  readonly checks: Readonly<Record<string, OtherAnswer>>;
}

/**
 * All intended differences between the embedded server and Kubernetes. A check named here must fail on the embedded
 * server, and fail with this answer, or the entry is out of date. A difference without checks shows in no answer.
 */
export const differences: readonly Difference[] = [
  {
    what: 'run containers: Pods, Deployments, Jobs and so on are data, without `logs`, `exec` and eviction',
    gets: 'a `Warning` on creation, and objects that nobody acts on; Pods stay `Pending`',
    checks: { 'intended differences: workloads are created without a warning': { status: 201 } },
  },
  {
    what: 'validation and defaults of kinds that it only stores: StatefulSets, Jobs, Ingresses, volumes, nodes and so on',
    gets: 'objects as they were sent, if their fields have the right types; templates of Pods get their defaults',
    checks: { 'intended differences: jobs without containers are refused': { status: 201 } },
  },
  {
    what: 'admission of Pods: token volume, tolerations, priority, whether the service account exists',
    gets: 'Pods without them',
    checks: { 'intended differences: pods get a token, tolerations and a priority': { status: 201 } },
  },
  {
    what: 'quotas of compute resources, storage, node ports and load balancers, and quotas with scopes',
    gets: 'quotas that are stored and limit nothing; only numbers of objects are limited',
    checks: { 'intended differences: quotas limit compute resources': { status: 201 } },
  },
  {
    what: 'conversion webhooks of CRDs',
    gets: '422: use strategy `None`',
    checks: {
      'intended differences: definitions may name a conversion webhook': { status: 422, body: { reason: 'Invalid' } },
    },
  },
  {
    what: 'admission webhooks and MutatingAdmissionPolicies',
    gets: '404: the kinds are not served',
    checks: { 'intended differences: admission webhooks can be listed': { status: 404 } },
  },
  {
    what: 'limit what expressions of policies cost, but for a million steps of loops',
    gets: 'a verdict, where Kubernetes refuses the request',
    checks: { 'intended differences: expressions of policies that cost too much are refused': { status: 201 } },
  },
  {
    what: 'aggregated API servers',
    gets: '422 for an APIService that names a service',
    checks: {
      'intended differences: a group may be served by somebody else': { status: 422, body: { reason: 'Invalid' } },
    },
  },
  {
    what: 'protobuf, except in bodies of built-in kinds',
    gets: '406 to those who take nothing else; answers are JSON',
    checks: {
      'intended differences: answers come as protobuf': { status: 406, body: { reason: 'NotAcceptable' } },
    },
  },
  {
    what: 'descriptions of the fields of built-in kinds',
    gets: '`kubectl explain` with names and types only',
    checks: { 'intended differences: fields of built-in kinds are described': { status: 200 } },
  },
  {
    what: 'kinds other than those listed by `kubectl api-resources`',
    gets: '404',
    checks: { 'intended differences: certificates can be requested': { status: 404 } },
  },
  {
    what: '`autoscaling/v1`, which `kubectl autoscale` asks for before 1.33',
    gets: '404; `autoscaling/v2` is served',
    checks: { 'intended differences: autoscalers have a first version': { status: 404 } },
  },
  {
    what: 'metrics and profiles of the server',
    gets: '404',
    checks: { 'intended differences: the server has metrics': { status: 404 } },
  },
  {
    what: 'objects nested more than 300 levels deep',
    gets: '400: exceeded max depth',
    checks: {
      'intended differences: bodies may be nested a thousand levels deep': {
        status: 400,
        body: { reason: 'BadRequest' },
      },
    },
  },
  {
    what: 'integers beyond 2^53 that fit into 64 bits',
    gets: '400 that names the field',
    checks: Object.fromEntries(
      [
        'between 53 and 63 bits come back as they were sent, such as the odd',
        'between 53 and 63 bits come back as they were sent, such as the most',
        'between 53 and 63 bits come back as they were sent, such as the least',
        'of more than 53 bits come back from patches as they were sent',
        'of more than 53 bits come back from an apply as they were sent',
        'of more than 53 bits come back from protobuf as they were sent',
      ].map((title) => [`large numbers: ${title}`, { status: 400, body: { reason: 'BadRequest' } }]),
    ),
  },
  { what: 'HTTP/2', gets: 'HTTP/1.1, which clients agree on by themselves', checks: {} },
  {
    what: 'wait for a resource version that is still to come',
    gets: '504 at once instead of after three seconds',
    checks: {},
  },
  { what: 'keep history over a restart', gets: '410: clients list again', checks: {} },
];

/** The answers that make up for checks which fail, by the id of the check. */
export const otherAnswers: ReadonlyMap<string, OtherAnswer & { readonly why: string }> = new Map(
  differences.flatMap(({ what, checks }) =>
    Object.entries(checks).map(([id, answer]) => [id, { ...answer, why: what }] as const),
  ),
);
