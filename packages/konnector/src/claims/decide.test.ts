import type { UnknownObject } from '@klutch/kube';
import { describe, expect, it } from 'vitest';
import { ruleWith, secretOf } from './claim.fixture.ts';
import type { Owner, Role } from './copy-marks.ts';
import { decide, type Seen, type SeenObject } from './decide.ts';
import type { Rule } from './rule.ts';

const roles = ['absent', 'plain', 'original', 'copy', 'oldCopy', 'foreign'] as const;
const wanted = secretOf({ name: 'db' }, { password: 'new' });
const older = secretOf({ name: 'db' }, { password: 'old' });
const rule = ruleWith();

interface Given {
  readonly selected?: boolean;
  readonly rule?: Rule;
  readonly object?: UnknownObject;
  readonly terminating?: boolean;
}

/** An object of one side; copies are in step unless told otherwise. */
function objectAs(role: 'absent' | Role, given: Given = {}): SeenObject {
  if (role === 'absent') return { role };
  const { selected = true, terminating = false, object = wanted } = given;
  const metadata = { ...object.metadata, ...(terminating ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) };
  const isOriginal = role === 'plain' || role === 'original';
  return { role, object: { ...object, metadata }, rule: isOriginal && selected ? (given.rule ?? rule) : undefined };
}

function onBoth(value: boolean): Seen['absenceProves'] {
  return { Provider: value, Consumer: value };
}

function seenWith(provider: SeenObject, consumer: SeenObject, more: Partial<Seen> = {}): Seen {
  return {
    Provider: provider,
    Consumer: consumer,
    ending: false,
    absenceProves: onBoth(true),
    deletionSeen: onBoth(false),
    render: () => wanted,
    cameOf: () => false,
    ...more,
  };
}

function said(seen: Seen): string {
  const step = decide(seen);
  return 'owner' in step ? `${step.do} ${step.owner}` : step.do;
}

type Grid = Readonly<Record<(typeof roles)[number], readonly string[]>>;

/** Columns are the roles of the object in the app cluster, rows of that on the control plane. */
function checkGrid(
  grid: Grid,
  look: (provider: (typeof roles)[number], consumer: (typeof roles)[number]) => Seen,
): void {
  const cells = roles.flatMap((provider) =>
    roles.map((consumer, column) => [provider, consumer, grid[provider][column] ?? ''] as const),
  );
  it.each(cells)('provider %s, consumer %s: %s', (provider, consumer, expected) => {
    expect(said(look(provider, consumer))).toBe(expected);
  });
}

describe('claimed objects, copies in step', () => {
  checkGrid(
    {
      absent: ['nothing', 'create Consumer', 'create Consumer', 'remove Provider', 'nothing', 'nothing'],
      plain: ['create Provider', 'conflict', 'conflict', 'mark Provider', 'mark Provider', 'conflict'],
      original: ['create Provider', 'conflict', 'conflict', 'nothing', 'nothing', 'conflict'],
      copy: ['remove Consumer', 'mark Consumer', 'nothing', 'nothing', 'nothing', 'remove Consumer'],
      oldCopy: ['hold Consumer', 'mark Consumer', 'nothing', 'nothing', 'nothing', 'nothing'],
      foreign: ['nothing', 'conflict', 'conflict', 'remove Provider', 'nothing', 'nothing'],
    },
    (provider, consumer) => seenWith(objectAs(provider), objectAs(consumer)),
  );
});

describe('claimed objects, copies out of step', () => {
  checkGrid(
    {
      absent: ['nothing', 'create Consumer', 'create Consumer', 'remove Provider', 'nothing', 'nothing'],
      plain: ['create Provider', 'conflict', 'conflict', 'update Provider', 'update Provider', 'conflict'],
      original: ['create Provider', 'conflict', 'conflict', 'update Provider', 'update Provider', 'conflict'],
      copy: ['remove Consumer', 'update Consumer', 'update Consumer', 'nothing', 'nothing', 'remove Consumer'],
      oldCopy: ['hold Consumer', 'update Consumer', 'update Consumer', 'nothing', 'nothing', 'nothing'],
      foreign: ['nothing', 'conflict', 'conflict', 'remove Provider', 'nothing', 'nothing'],
    },
    (provider, consumer) => seenWith(objectAs(provider, { object: older }), objectAs(consumer, { object: older })),
  );
});

describe('objects that no claim means', () => {
  checkGrid(
    {
      absent: ['nothing', 'nothing', 'nothing', 'remove Provider', 'nothing', 'nothing'],
      plain: ['nothing', 'nothing', 'nothing', 'remove Provider', 'nothing', 'nothing'],
      original: ['nothing', 'nothing', 'nothing', 'remove Provider', 'nothing', 'nothing'],
      copy: ['remove Consumer', 'remove Consumer', 'remove Consumer', 'nothing', 'nothing', 'remove Consumer'],
      oldCopy: ['hold Consumer', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
      foreign: ['nothing', 'nothing', 'nothing', 'remove Provider', 'nothing', 'nothing'],
    },
    (provider, consumer) => seenWith(objectAs(provider, { selected: false }), objectAs(consumer, { selected: false })),
  );
});

describe('objects of which all are being deleted', () => {
  checkGrid(
    {
      absent: ['nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
      plain: ['nothing', 'conflict', 'conflict', 'nothing', 'nothing', 'conflict'],
      original: ['nothing', 'conflict', 'conflict', 'nothing', 'nothing', 'conflict'],
      copy: ['nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
      oldCopy: ['nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
      foreign: ['nothing', 'conflict', 'conflict', 'nothing', 'nothing', 'nothing'],
    },
    (provider, consumer) =>
      seenWith(objectAs(provider, { terminating: true }), objectAs(consumer, { terminating: true })),
  );
});

describe('the original is being deleted, its copy is not', () => {
  const rows: readonly (readonly [Owner, Role, 'absent' | Role, string])[] = [
    ['Provider', 'plain', 'absent', 'nothing'],
    ['Provider', 'original', 'absent', 'nothing'],
    ['Provider', 'plain', 'copy', 'remove Provider'],
    ['Provider', 'original', 'copy', 'remove Provider'],
    ['Provider', 'original', 'oldCopy', 'remove Provider'],
    ['Consumer', 'plain', 'absent', 'nothing'],
    ['Consumer', 'original', 'absent', 'nothing'],
    ['Consumer', 'plain', 'copy', 'remove Consumer'],
    ['Consumer', 'original', 'copy', 'remove Consumer'],
    ['Consumer', 'original', 'oldCopy', 'remove Consumer'],
  ];
  it.each(rows)('%s %s, copy %s: %s', (owner, role, copy, expected) => {
    const original = objectAs(role, { terminating: true });
    const other = objectAs(copy);
    expect(said(owner === 'Provider' ? seenWith(original, other) : seenWith(other, original))).toBe(expected);
  });
});

describe('weaknesses of the Go konnector', () => {
  it('W1: a claim on objects of the provider never uploads one of the user', () => {
    expect(said(seenWith(objectAs('absent'), objectAs('plain', { selected: false })))).toBe('nothing');
  });

  it('W2: an object of the control plane that no claim means never goes down', () => {
    expect(said(seenWith(objectAs('plain', { selected: false }), objectAs('absent')))).toBe('nothing');
  });

  it('W32: a copy that is missing is not made while the original is being deleted', () => {
    expect(said(seenWith(objectAs('original', { terminating: true }), objectAs('absent')))).toBe('nothing');
  });
});

describe('a copy whose original is gone', () => {
  const rows: readonly (readonly [string, Role, Partial<Seen>, string])[] = [
    ['absence proves nothing', 'copy', { absenceProves: onBoth(false) }, 'hold Consumer'],
    [
      'absence proves nothing, but somebody was seen deleting it',
      'copy',
      { absenceProves: onBoth(false), deletionSeen: onBoth(true) },
      'remove Consumer',
    ],
    [
      'absence proves nothing, but the whole namespace is gone',
      'copy',
      { absenceProves: onBoth(false), ending: true },
      'remove Consumer',
    ],
    ['made by a Go konnector', 'oldCopy', {}, 'hold Consumer'],
    [
      'made by a Go konnector, somebody was seen deleting the original',
      'oldCopy',
      { deletionSeen: onBoth(true) },
      'remove Consumer',
    ],
    ['made by a Go konnector, the whole namespace is gone', 'oldCopy', { ending: true }, 'remove Consumer'],
  ];
  it.each(rows)('on the control plane: %s', (_, role, more, expected) => {
    expect(said(seenWith(objectAs(role), objectAs('absent'), more))).toBe(expected);
  });

  it.each<[string, Partial<Seen>, string]>([
    [
      'goes whatever the app cluster looks like',
      { absenceProves: { Provider: true, Consumer: false } },
      'remove Provider',
    ],
    [
      'stays when the control plane was set back',
      { absenceProves: { Provider: false, Consumer: true } },
      'hold Provider',
    ],
    [
      'goes when its deletion was seen on a control plane that was set back',
      { absenceProves: onBoth(false), deletionSeen: { Provider: true, Consumer: false } },
      'remove Provider',
    ],
    [
      'stays when only a deletion in the app cluster was seen',
      { absenceProves: onBoth(false), deletionSeen: { Provider: false, Consumer: true } },
      'hold Provider',
    ],
  ])('in the app cluster: %s', (_, more, expected) => {
    expect(said(seenWith(objectAs('absent'), objectAs('copy'), more))).toBe(expected);
  });
});

describe('claim options', () => {
  it('replace an object of the user where told to, but nothing foreign', () => {
    const original = objectAs('plain', { rule: ruleWith({ create: { replaceExisting: true } }) });
    expect(said(seenWith(original, objectAs('plain', { object: older })))).toBe('update Provider');
    expect(said(seenWith(original, objectAs('foreign')))).toBe('conflict');
  });

  it('leave deleted what the user deleted, once it was there', () => {
    const once = ruleWith({ onConflict: { recreateWhenConsumerSideDeleted: false } });
    expect(said(seenWith(objectAs('plain', { rule: once }), objectAs('absent')))).toBe('create Provider');
    expect(said(seenWith(objectAs('original', { rule: once }), objectAs('absent')))).toBe('nothing');
    expect(said(seenWith(objectAs('absent'), objectAs('original', { rule: once })))).toBe('create Consumer');
  });

  it('make a new object where a change is impossible or unwanted', () => {
    const original = objectAs('original');
    const fixed = { ...older, immutable: true };
    const ofOtherType = { ...older, type: 'example.org/db' };
    const always = objectAs('original', { rule: ruleWith({ update: { alwaysRecreate: true } }) });
    expect(said(seenWith(original, objectAs('copy', { object: fixed })))).toBe('recreate Provider');
    expect(said(seenWith(original, objectAs('copy', { object: ofOtherType })))).toBe('recreate Provider');
    expect(said(seenWith(always, objectAs('copy', { object: older })))).toBe('recreate Provider');
    expect(said(seenWith(always, objectAs('copy')))).toBe('nothing');
  });
});

describe('a place that is being given up', () => {
  it('gets nothing new', () => {
    const ending = { ending: true };
    expect(said(seenWith(objectAs('original'), objectAs('absent'), ending))).toBe('nothing');
    expect(said(seenWith(objectAs('absent'), objectAs('original'), ending))).toBe('nothing');
    expect(said(seenWith(objectAs('original'), objectAs('copy', { object: older }), ending))).toBe('nothing');
  });
});

describe('a copy to which a server added defaults', () => {
  it('counts as in step when it is what came of the last write', () => {
    const seen = seenWith(objectAs('original'), objectAs('copy', { object: older }), { cameOf: () => true });
    expect(said(seen)).toBe('nothing');
  });
});
