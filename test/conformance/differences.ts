/** An intended difference: what a client of the embedded server gets instead of what Kubernetes answers. */
export interface Difference {
  /** One of the answers during the check has this status and at least these fields in its body. */
  readonly answer: { readonly status: number; readonly body?: object };
  /** Why the embedded server does not do as Kubernetes does, in one sentence for the user. */
  readonly why: string;
}

/**
 * All intended differences between the embedded server and Kubernetes, by the id of the check: `area: title`. A check
 * named here must fail on the embedded server, and fail with this answer, or the entry is out of date.
 */
export const differences: Readonly<Record<string, Difference>> = {};
