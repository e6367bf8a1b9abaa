/**
 * What a change of an API means for those who use it. `compatible`: every object stays valid and keeps all its fields.
 * `needs care`: so they do, but something behaves differently. `breaking`: an object could become invalid, lose a field,
 * or no longer be reachable as before.
 */
export type Verdict = 'compatible' | 'needs care' | 'breaking';

/** One thing that a change does, as far as it is not harmless. */
export interface Finding {
  readonly level: Exclude<Verdict, 'compatible'>;
  /** Where in the API, such as `v1 .spec.size`; empty for the API as a whole. */
  readonly path: string;
  /** What happens there, in words that follow the path. */
  readonly sentence: string;
}

/** The worst finding decides. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.some(({ level }) => level === 'breaking')) return 'breaking';
  return findings.length > 0 ? 'needs care' : 'compatible';
}

/** The findings as one text, the worst first and no more than a reader can take in. */
export function describeFindings(findings: readonly Finding[], atMost = 5): string {
  const worstFirst = [
    ...findings.filter(({ level }) => level === 'breaking'),
    ...findings.filter(({ level }) => level !== 'breaking'),
  ];
  const shown = worstFirst.slice(0, atMost).map(({ path, sentence }) => (path ? `${path} ${sentence}` : sentence));
  const hidden = findings.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join('; ');
}

export function breaking(path: string, sentence: string): Finding {
  return { level: 'breaking', path, sentence };
}

export function needsCare(path: string, sentence: string): Finding {
  return { level: 'needs care', path, sentence };
}
