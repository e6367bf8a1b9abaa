import { type Crd, type CrdCondition, type CrdNames, crdCondition, withCondition } from './crd.ts';

type Status = NonNullable<Crd['status']>;

/**
 * Pure: the status of a CRD given the others of its group: names that are free are accepted, a CRD whose names are all
 * accepted is established and stays so. Returns undefined when nothing is to be changed.
 */
export function acceptNames(crd: Crd, others: readonly Crd[], now: string): Status | undefined {
  const taken = takenNames(others);
  const before: Partial<CrdNames> = crd.status?.acceptedNames ?? { plural: '', kind: '' };
  const wanted = crd.spec.names;
  const conflicts: { reason: string; message: string }[] = [];
  const accept = (
    reason: string,
    name: string | undefined,
    accepted: string | undefined,
    used: ReadonlySet<string>,
  ) => {
    if (name === undefined || name === accepted || !used.has(name)) return name;
    conflicts.push({ reason, message: `"${name}" is already in use` });
    return accepted;
  };
  const names: CrdNames = {
    plural: accept('PluralConflict', wanted.plural, before.plural, taken.resources) ?? '',
    singular: accept('SingularConflict', wanted.singular, before.singular, taken.resources),
    shortNames: acceptShortNames(wanted, before, taken.resources, conflicts),
    kind: accept('KindConflict', wanted.kind, before.kind, taken.kinds) ?? '',
    listKind: accept('ListKindConflict', wanted.listKind, before.listKind, taken.kinds),
    categories: wanted.categories,
  };
  const conditions = conditionsFor(crd, conflicts.at(-1), now);
  const storedVersions = crd.status?.storedVersions ?? [];
  const status: Status = { acceptedNames: prune(names), conditions, storedVersions };
  return JSON.stringify(canonical(status)) === JSON.stringify(canonical(crd.status)) ? undefined : status;
}

function acceptShortNames(
  wanted: CrdNames,
  before: Partial<CrdNames>,
  used: ReadonlySet<string>,
  conflicts: { reason: string; message: string }[],
): string[] | undefined {
  const own = new Set(before.shortNames ?? []);
  const clashing = (wanted.shortNames ?? []).filter((name) => !own.has(name) && used.has(name));
  if (clashing.length === 0) return wanted.shortNames;
  const texts = clashing.map((name) => `"${name}" is already in use`);
  conflicts.push({
    reason: 'ShortNamesConflict',
    message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`,
  });
  return before.shortNames;
}

function conditionsFor(
  crd: Crd,
  conflict: { reason: string; message: string } | undefined,
  now: string,
): CrdCondition[] {
  const accepted: CrdCondition = conflict
    ? { type: 'NamesAccepted', status: 'False', ...conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const established: CrdCondition = !conflict
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : (crdCondition(crd, 'Established') ?? {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      });
  return withCondition(withCondition(crd.status?.conditions ?? [], accepted, now), established, now);
}

function takenNames(others: readonly Crd[]): { resources: ReadonlySet<string>; kinds: ReadonlySet<string> } {
  const accepted = others.flatMap((crd) => crd.status?.acceptedNames ?? []);
  const present = (names: readonly (string | undefined)[]) =>
    new Set(names.filter((name) => name !== undefined && name !== ''));
  return {
    resources: present(
      accepted.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...(shortNames ?? [])]),
    ) as Set<string>,
    kinds: present(accepted.flatMap(({ kind, listKind }) => [kind, listKind])) as Set<string>,
  };
}

function prune(names: CrdNames): CrdNames {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)) as unknown as CrdNames;
}

function canonical(status: Crd['status']): unknown {
  return [
    status?.acceptedNames && Object.entries(status.acceptedNames).sort(([a], [b]) => (a < b ? -1 : 1)),
    status?.conditions,
    status?.storedVersions,
  ];
}
