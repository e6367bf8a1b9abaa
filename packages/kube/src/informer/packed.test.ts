import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../objects/meta.ts';
import { createPacking, mostFresh, type Packing, type PackingKind } from './packed.ts';

const thing = (name: string, content: unknown = {}): UnknownObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid: `uid of ${name}`, resourceVersion: '7' },
  spec: content,
});

/** So many others change that what was packed before is no longer fresh. */
function letOthersChange(packing: Packing): void {
  for (let count = 0; count <= mostFresh; count++) packing.pack(thing(`other-${count}`));
}

describe.each<[PackingKind, string, (packing: Packing) => void]>([
  ['text', 'at once', () => {}],
  ['compressed', 'at once', () => {}],
  ['compressed', 'later', letOthersChange],
])('an object packed as %s and unpacked %s', (kind, _, wait) => {
  it('comes back as it was, whatever is in it and whatever was packed before', () => {
    const packing = createPacking(kind);
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ stringUnit: 'binary' }), { minLength: 1, maxLength: 4 }), (contents) => {
        const things = contents.map((content, index) => thing(`a${index}`, content));
        const packed = things.map((object) => packing.pack(object));
        wait(packing);
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
    wait(packing);
    expect(packed.map((one) => packing.unpack(one))).toEqual([first, second]);
  });

  it('is known by its identity without being unpacked', () => {
    expect(createPacking(kind).pack(thing('a'))).toMatchObject({ uid: 'uid of a', version: '7' });
  });

  it('is unpacked into a copy for each who asks', () => {
    const packing = createPacking(kind);
    const packed = packing.pack(thing('a'));
    wait(packing);
    expect(packing.unpack(packed)).not.toBe(packing.unpack(packed));
  });
});

describe('compressed objects', () => {
  it('take a fraction of their text, as objects of one type are alike', () => {
    const packing = createPacking('compressed');
    const objects = Array.from({ length: 20 }, (_, index) =>
      thing(`database-${index}`, { plan: 'small', parameters: { size: index, backup: 'every night' } }),
    );
    const packed = objects.map((object) => packing.pack(object));
    letOthersChange(packing);
    const sizes = packed.map(({ content }, index) => content.length / JSON.stringify(objects[index]).length);
    expect(Math.max(...sizes.slice(1))).toBeLessThan(0.3);
  });

  it('are not compressed for nothing when they change again at once, and what they were can still be read', () => {
    const packing = createPacking('compressed');
    const packed = packing.pack(thing('a'));
    packing.discard(packed);
    letOthersChange(packing);
    expect(packed.isCompressed).toBe(false);
    expect(packing.unpack(packed)).toEqual(thing('a'));
  });
});
