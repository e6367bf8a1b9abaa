/** A claim, or the change of one, and what must become of it. */
export interface Row {
  /** Of the scenario; of the tables of our own a title. */
  readonly id: string;
  readonly kind: string;
  readonly spec: Spec;
  /** The `spec` of the claim that is changed; undefined: the claim is new. */
  readonly before?: Spec;
  /** A part of what a refusal says; undefined: the claim is accepted. */
  readonly refused?: string;
}

export type Spec = Readonly<Record<string, unknown>>;

/** Every combination of the values. */
export function combine<A, B>(some: readonly A[], others: readonly B[]): readonly (readonly [A, B])[] {
  return some.flatMap((one) => others.map((other) => [one, other] as const));
}

/** Every ordered pair of two different values. */
export const pairs = <A>(values: readonly A[]) => combine(values, values).filter(([from, to]) => from !== to);

/** The `spec` of an instance. */
export function instance(service: string, plan: string, parameters?: Spec): Spec {
  return { service, plan, ...(parameters ? { parameters } : {}) };
}

/** With a Composition. */
export function on(composition: string, spec: Spec): Spec {
  return { ...spec, compositionRef: { name: composition } };
}
