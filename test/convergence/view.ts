import type { UnknownObject } from '@klutch/kube';

/** The fields of an object that one author alone writes. */
export type View = (object: Fields) => object;

/** An object, or as much of it as is known. */
export type Fields = Partial<Pick<UnknownObject, 'metadata'>> & Readonly<Record<string, unknown>>;

/** What users write on their claims, as far as it has to reach the control plane. */
export const claimView: View = ({ metadata, spec }) => ({
  metadata: {
    labels: { team: metadata?.labels?.['team'] },
    annotations: { [note]: metadata?.annotations?.[note] },
  },
  spec,
});

/** What users write, as their provider sees it: the provider refers to what it made in a field of its own. */
export const copiedClaimView: View = ({ metadata, spec }) => {
  const { resourceRef: _, ...users } = (spec ?? {}) as Record<string, unknown>;
  return claimView({ metadata, spec: users });
};

/** What a provider writes on the copy of a claim. */
export const reportView: View = ({ spec, status }) => ({
  spec: { resourceRef: (spec as Record<string, unknown> | undefined)?.['resourceRef'] },
  status,
});

export const secretView: View = ({ data }) => ({ data });

/** An annotation of users that travels. */
export const note = 'convergence.test/note';

/** What a JSON merge patch (RFC 7386) makes of a value. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
