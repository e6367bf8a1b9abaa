import { accepted, type Changes, creating, enumRows, refused, requiredRows, type Row, yields } from '../row.ts';
import { groupResourceRows } from './group-resource.ts';

const patterns = [{ pattern: 'example.org/*' }];

/** A claim that uses every field there is. */
const fullClaim = {
  group: '',
  resource: 'secrets',
  version: 'v1',
  required: true,
  selector: {
    names: ['a'],
    namespaces: [],
    labelSelectors: [{ app: 'db' }, { app: 'web', tier: 'front' }],
    fieldSelectors: ['type=Opaque'],
    owner: 'Provider',
  },
  read: {
    labels: patterns,
    labelsOnProviderOwnedObjects: patterns,
    annotations: patterns,
    overrideAnnotations: patterns,
  },
  create: { replaceExisting: true },
  autoAdopt: true,
  autoDonate: false,
  onConflict: { recreateWhenConsumerSideDeleted: false },
  update: {
    fields: ['.data'],
    preserving: ['.metadata'],
    alwaysRecreate: true,
    labels: patterns,
    labelsOnConsumerOwnedObjects: patterns,
    annotations: patterns,
    annotationsOnConsumerOwnedObjects: patterns,
  },
};

/** What holds for every claim. `list` is the path of the claims; `decided` is what each claim has besides, such as the user's decision. */
export function permissionClaimRows(list: string, decided: Readonly<Record<string, string>> = {}): readonly Row[] {
  const claim = `${list}[0]`;
  const plain = { resource: 'secrets', version: 'v1', ...decided };
  return [
    creating('accepts an object without claims', { [list]: undefined }, accepted),
    creating(
      'keeps every field of a claim',
      { [claim]: { ...fullClaim, ...decided } },
      yields({ [claim]: { ...fullClaim, ...decided } }),
    ),
    creating(
      'completes a claim that says little',
      { [claim]: plain },
      yields({
        [claim]: {
          ...plain,
          group: '',
          selector: { names: ['*'], namespaces: ['*'] },
          read: {},
          onConflict: { recreateWhenConsumerSideDeleted: true },
        },
      }),
    ),
    creating(
      'refuses more than a hundred permission claims',
      { [list]: Array.from({ length: 101 }, () => plain) },
      refused(list, 'at most 100'),
    ),
    creating(
      'completes a selector that says little',
      { [claim]: { ...plain, selector: { owner: 'Consumer' } } },
      yields({ [`${claim}.selector`]: { owner: 'Consumer', names: ['*'], namespaces: ['*'] } }),
    ),
    creating(
      'completes a conflict policy that says nothing',
      { [claim]: { ...plain, onConflict: {} } },
      yields({ [`${claim}.onConflict`]: { recreateWhenConsumerSideDeleted: true } }),
    ),
    creating(
      'adds nothing that has no default',
      { [claim]: plain },
      yields(absent(claim, ['required', 'create', 'autoAdopt', 'autoDonate', 'update'])),
    ),
    ...starting(claim, plain, [
      ...groupResourceRows(claim),
      ...requiredRows(claim, ['version']),
      creating('refuses an empty version', { [`${claim}.version`]: '' }, refused(`${claim}.version`, 'at least 1')),
      ...enumRows(`${claim}.selector.owner`, ['Provider', 'Consumer']),
      ...ownershipRows(claim),
    ]),
  ];
}

/** What holds for every claim with the user's decision. */
export function acceptablePermissionClaimRows(list: string): readonly Row[] {
  const claim = `${list}[0]`;
  const decided = { state: 'Accepted' };
  return [
    ...permissionClaimRows(list, decided),
    ...starting(claim, { resource: 'secrets', version: 'v1', ...decided }, [
      ...requiredRows(claim, ['state']),
      ...enumRows(`${claim}.state`, ['Accepted', 'Rejected']),
    ]),
  ];
}

function ownershipRows(claim: string): readonly Row[] {
  const ownership = (autoAdopt: unknown, autoDonate: unknown): Changes => ({
    [`${claim}.autoAdopt`]: autoAdopt,
    [`${claim}.autoDonate`]: autoDonate,
  });
  return [
    creating('refuses to adopt and donate at once', ownership(true, true), refused(claim, 'mutually exclusive')),
    creating('accepts to adopt', ownership(true, undefined), accepted),
    creating('accepts to adopt and not to donate', ownership(true, false), accepted),
    creating('accepts to donate', ownership(undefined, true), accepted),
    creating('accepts to donate and not to adopt', ownership(false, true), accepted),
    creating('accepts neither to adopt nor to donate', ownership(false, false), accepted),
  ];
}

/** The rows, each starting from an object with that claim. */
function starting(claim: string, value: unknown, rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => (row.does === 'create' ? { ...row, changes: { [claim]: value, ...row.changes } } : row));
}

function absent(path: string, fields: readonly string[]): Changes {
  return Object.fromEntries(fields.map((field) => [`${path}.${field}`, undefined]));
}
