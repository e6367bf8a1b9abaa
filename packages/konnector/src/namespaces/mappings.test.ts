import { describe, expect, it } from 'vitest';
import { createMappings } from './mappings.ts';

const ready = (serviceNamespace: string) => ({ state: 'ready', serviceNamespace }) as const;

describe('the namespace map', () => {
  it('answers both ways', () => {
    const map = createMappings(() => {});
    map.put('team-a', ready('x-team-a'));
    expect(map.of('team-a')).toEqual(ready('x-team-a'));
    expect(map.of('team-b')).toEqual({ state: 'unknown' });
    expect(map.appNamespaceOf('x-team-a')).toBe('team-a');
    expect([...map.entries()]).toEqual([['team-a', 'x-team-a']]);
  });

  it('keeps the way back while a place is being given up, and forgets it afterwards', () => {
    const map = createMappings(() => {});
    map.put('team-a', ready('x-team-a'));
    map.put('team-a', { state: 'ending', serviceNamespace: 'x-team-a' });
    expect(map.appNamespaceOf('x-team-a')).toBe('team-a');
    map.put('team-a', { state: 'unknown' });
    expect(map.appNamespaceOf('x-team-a')).toBeUndefined();
    expect([...map.entries()]).toEqual([]);
  });

  it('does not lose the way back to a new holder when the old one lets go', () => {
    const map = createMappings(() => {});
    map.put('team-a', ready('shared'));
    map.put('team-b', ready('shared'));
    map.put('team-a', { state: 'refused', problem: 'No.' });
    expect(map.appNamespaceOf('shared')).toBe('team-b');
  });

  it('tells of present mappings first, then of every change, and of nothing that is no news', () => {
    const map = createMappings(() => {});
    const told: string[] = [];
    map.put('team-a', ready('x-team-a'));
    const unsubscribe = map.subscribe((name) => told.push(`${name} ${map.of(name).state}`));
    map.put('team-b', { state: 'waiting', since: new Date(0) });
    map.put('team-b', { state: 'waiting', since: new Date(1) });
    map.put('team-b', { state: 'waiting', since: new Date(1), problem: 'Silence.' });
    map.put('team-b', ready('x-team-b'));
    unsubscribe();
    map.put('team-b', { state: 'unknown' });
    expect(told).toEqual(['team-a ready', 'team-b waiting', 'team-b waiting', 'team-b ready']);
  });

  it('passes on what is wanted', () => {
    const wanted: string[] = [];
    createMappings((name) => wanted.push(name)).want('team-a');
    expect(wanted).toEqual(['team-a']);
  });
});
