import { describe, expect, it } from 'vitest';

import { idsOfTitle } from './title-ids.ts';

const IDS = new Set(['KON-25', 'KON-26', 'OSB-A1', 'BE-01']);

describe('ids of a title', () => {
  it.each([
    { title: 'KON-25 keeps the app object', known: ['KON-25'] },
    { title: 'KON-25 KON-26 keeps the app object', known: ['KON-25', 'KON-26'] },
    { title: 'KON-25, OSB-A1: keeps the app object', known: ['KON-25', 'OSB-A1'] },
    { title: 'BE-01', known: ['BE-01'] },
    { title: 'keeps the app object (KON-25)', known: [] },
    { title: '', known: [] },
  ])('$known in "$title"', ({ title, known }) => {
    expect(idsOfTitle(title, IDS)).toEqual({ known, unknown: [] });
  });

  it.each([
    { title: 'KON-99 does what nobody asked for', unknown: ['KON-99'] },
    { title: 'KON-7 has a digit too few', unknown: ['KON-7'] },
    { title: 'KNO-25 is a slip of the pen', unknown: ['KNO-25'] },
    { title: 'OSB-Z1 has no such section', unknown: ['OSB-Z1'] },
  ])('"$title" names no scenario', ({ title, unknown }) => {
    expect(idsOfTitle(title, IDS)).toEqual({ known: [], unknown });
  });

  it('sees the unknown one beside the known', () => {
    expect(idsOfTitle('KON-25 KON-99 keeps', IDS)).toEqual({ known: ['KON-25'], unknown: ['KON-99'] });
  });

  it.each(['UTF-8 names survive', 'SHA-256 is the hash', 'X-25 is not ours', 'kon-25 in small letters'])(
    '"%s" is plain language',
    (title) => {
      expect(idsOfTitle(title, IDS)).toEqual({ known: [], unknown: [] });
    },
  );
});
