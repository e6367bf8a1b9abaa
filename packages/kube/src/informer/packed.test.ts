import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { createPacking, type PackingKind } from './packed.ts';

const thing = (name: string, content: unknown = {}): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid: `uid of ${name}`, resourceVersion: '7' },
  spec: content,
});

describe.each<PackingKind>(['text', 'compressed'])('an object packed as %s', (kind) => {
  it('comes back as it was, whatever is in it and whatever was packed before', () => {
    const packing = createPacking(kind);
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ stringUnit: 'binary' }), { minLength: 1, maxLength: 4 }), (contents) => {
        const things = contents.map((content, index) => thing(`a${index}`, content));
        const packed = things.map((object) => packing.pack(object));
        // As JSON has it: there is no negative zero.
        const sent = things.map((object) => JSON.parse(JSON.stringify(object)) as unknown);
        expect(packed.map((one) => packing.unpack(one))).toEqual(sent);
      }),
    );
  });

  it.each([0, 8 * 1024, 1024 * 1024])('comes back when the first one had %i bytes', (size) => {
    const packing = createPacking(kind);
    const first = thing('first', { note: 'ü'.repeat(size / 2) });
    const second = thing('second', { note: 'ü'.repeat(size / 2), more: true });
    const packed = [first, second].map((object) => packing.pack(object));
    expect(packed.map((one) => packing.unpack(one))).toEqual([first, second]);
  });

  it('is known by its identity without being unpacked', () => {
    expect(createPacking(kind).pack(thing('a'))).toMatchObject({ uid: 'uid of a', version: '7' });
  });

  it('is unpacked into a copy for each who asks', () => {
    const packing = createPacking(kind);
    const packed = packing.pack(thing('a'));
    expect(packing.unpack(packed)).not.toBe(packing.unpack(packed));
  });
});

describe('compressed objects', () => {
  it('take a fraction of their text, as objects of one type are alike', () => {
    const packing = createPacking('compressed');
    const sizes = Array.from({ length: 20 }, (_, index) => {
      const object = thing(`database-${index}`, { plan: 'small', parameters: { size: index, backup: 'every night' } });
      return packing.pack(object).content.length / JSON.stringify(object).length;
    });
    expect(Math.max(...sizes.slice(1))).toBeLessThan(0.3);
  });
});
