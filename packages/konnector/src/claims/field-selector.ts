/** A condition on one field of an object's metadata. `namespace` is the one in the app cluster. */
export interface FieldTerm {
  readonly field: 'name' | 'namespace';
  readonly equal: boolean;
  readonly value: string;
}

/** Reads a field selector such as `metadata.name=db,metadata.namespace!=test`; undefined for any other field. */
export function parseFieldSelector(text: string): readonly FieldTerm[] | undefined {
  const terms: FieldTerm[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*metadata\.(name|namespace)\s*(==|=|!=)\s*([-a-z0-9.]*)\s*$/.exec(part);
    if (match === null) return undefined;
    const [, field, operator, value = ''] = match;
    terms.push({ field: field === 'name' ? 'name' : 'namespace', equal: operator !== '!=', value });
  }
  return terms;
}
