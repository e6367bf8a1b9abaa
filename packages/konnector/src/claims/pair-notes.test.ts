import type { Change, UnknownObject } from '@klutch/kube';
import { createManualClock } from '@klutch/kube/testing';
import { describe, expect, it } from 'vitest';
import { secretOf } from './claim.fixture.ts';
import { createPairNotes, type PairNotes } from './pair-notes.ts';

const names = Array.from({ length: 20 }, (_, index) => `db-${index}`);
const original = (name: string) => secretOf({ name, namespace: 'service-a', uid: `original ${name}` }, { a: '1' });
const copy = (name: string) => secretOf({ name, namespace: 'team-a', uid: `copy ${name}` }, { a: '1' });
const place = { appNamespace: 'team-a', serviceNamespace: 'service-a' };

function change(type: 'added' | 'deleted', object: UnknownObject): Change<UnknownObject> {
  return { type, key: `${object.metadata.namespace}/${object.metadata.name}`, object };
}

/** The provider's object arrives and is copied; the copy is written, but the watch has not told of it. */
function copyDown(notes: PairNotes, name: string): void {
  const key = `team-a/${name}`;
  notes.delivered('Provider', change('added', original(name)), key);
  notes.written.Consumer.put(key, copy(name));
  notes.settled.put('Consumer', key, original(name), copy(name));
  notes.takeChange(key);
}

describe('notes on pairs', () => {
  it('go with the objects, however many come and go', () => {
    const notes = createPairNotes(createManualClock());
    for (const name of names) copyDown(notes, name);
    expect(notes.size).toBe(2 * names.length);
    for (const name of names) {
      const key = `team-a/${name}`;
      notes.delivered('Provider', change('deleted', original(name)), key);
      // Somebody else deletes the copy.
      notes.delivered('Consumer', change('deleted', copy(name)), key);
      for (const dealtWith of Object.values(notes.deletionsSeen).map((seen) => seen.begin(key))) dealtWith();
      notes.takeChange(key);
      notes.over(place, name);
    }
    expect(notes.size).toBe(0);
  });

  it('go with the place, whatever they are about', () => {
    const notes = createPairNotes(createManualClock());
    for (const name of names) {
      copyDown(notes, name);
      notes.written.Provider.put(`service-a/${name}`, original(name));
      notes.settled.put('Provider', `service-a/${name}`, copy(name), original(name));
      notes.delivered('Consumer', change('deleted', copy(name)), `team-a/${name}`);
    }
    notes.delivered('Provider', change('added', original('db')), 'team-ab/db');
    notes.leave(place);
    expect(notes.size).toBe(1);
    notes.forget('team-ab/db');
    expect(notes.size).toBe(0);
  });

  it('tell when something first changed', async () => {
    const clock = createManualClock();
    const notes = createPairNotes(clock);
    const before = clock.now();
    notes.delivered('Provider', change('added', original('db')), 'team-a/db');
    await clock.advance(1_000);
    notes.delivered('Provider', change('added', original('db')), 'team-a/db');
    expect(notes.takeChange('team-a/db')).toBe(before);
    expect(notes.takeChange('team-a/db')).toBe(clock.now());
  });

  it('know a deletion that was seen, until the object is there again', () => {
    const notes = createPairNotes(createManualClock());
    notes.delivered('Consumer', { ...change('deleted', copy('db')), lastKnown: true } as Change<UnknownObject>, 'k');
    expect(notes.deletionsSeen.Consumer.has('k')).toBe(false);
    notes.delivered('Consumer', change('deleted', copy('db')), 'k');
    expect(notes.deletionsSeen.Consumer.has('k')).toBe(true);
    notes.delivered('Consumer', change('added', copy('db')), 'k');
    expect(notes.deletionsSeen.Consumer.has('k')).toBe(false);
  });
});
