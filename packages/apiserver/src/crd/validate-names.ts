import { dns1035LabelProblems } from '../metadata/name-rules.ts';
import { invalid, required } from '../schema/fields/field-error.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { CrdNames } from './crd.ts';

/** Pure: what is wrong with the names that a definition wants. */
export function wantedNamesProblems(names: Partial<CrdNames>, field: string): readonly FieldCause[] {
  const missing = (['plural', 'singular', 'kind', 'listKind'] as const).filter((key) => !names[key]);
  return [...missing.map((key) => required(`${field}.${key}`)), ...namesProblems(names, field)];
}

/** Pure: what is wrong with names, as far as there are any. */
export function namesProblems(names: Partial<CrdNames>, field: string): readonly FieldCause[] {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  const label = (key: string, name: string | undefined) => labelProblems(`${field}.${key}`, name, name);
  const mixedCase = (key: string, name: string | undefined) =>
    labelProblems(`${field}.${key}`, name, name?.toLowerCase(), 'may have mixed case, but should otherwise match: ');
  return [
    ...label('plural', plural),
    ...label('singular', singular),
    ...mixedCase('kind', kind),
    ...mixedCase('listKind', listKind),
    ...shortNames.flatMap((name, index) => label(`shortNames[${index}]`, name)),
    ...(kind && kind === listKind
      ? [invalid(`${field}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, index) => label(`categories[${index}]`, name)),
  ];
}

function labelProblems(
  field: string,
  name: string | undefined,
  checked: string | undefined,
  words = '',
): readonly FieldCause[] {
  if (!name || !checked) return [];
  const problems = dns1035LabelProblems(checked);
  return problems.length === 0 ? [] : [invalid(field, name, `${words}${problems.join(',')}`)];
}
