import { isKlutchError } from '@klutch/api';
import { describe, expect, it } from 'vitest';
import { decideKonnector } from './konnector-decision.ts';
import { defaultKonnectorImage, konnectorRepository as ours, parseImage } from './konnector-image.ts';

describe('decideKonnector', () => {
  it.each([
    ['nothing', undefined, {}, { action: 'apply', image: `${ours}:v1.5.0` }],
    ['an older one', `${ours}:v1.4.0`, {}, { action: 'apply', image: `${ours}:v1.5.0` }],
    ['a release candidate', `${ours}:v1.5.0-rc.1`, {}, { action: 'apply', image: `${ours}:v1.5.0` }],
    ['the same', `${ours}:v1.5.0`, {}, { action: 'keep' }],
    [
      'a newer one',
      `${ours}:v1.6.0`,
      {},
      { action: 'keep', warning: expect.stringContaining('--downgrade-konnector') },
    ],
    ['a newer one, to go', `${ours}:v1.6.0`, { downgrade: true }, { action: 'apply', image: `${ours}:v1.5.0` }],
    ['the same, to go', `${ours}:v1.5.0`, { downgrade: true }, { action: 'keep' }],
    ['the latest', `${ours}:latest`, {}, { action: 'keep', note: expect.stringContaining('without a version') }],
    ['no tag', ours, {}, { action: 'keep', note: expect.stringContaining('without a version') }],
    ['a digest', `${ours}@sha256:0123`, {}, { action: 'keep', note: expect.stringContaining('without a version') }],
    [
      'another repository',
      'r.example:5000/konnector:v1',
      {},
      { action: 'keep', note: expect.stringContaining('another repository') },
    ],
    ['anything, and an image', `${ours}:v9.0.0`, { image: 'x:1' }, { action: 'apply', image: 'x:1' }],
    ['anything, to be left', `${ours}:v1.0.0`, { skip: true }, { action: 'skip' }],
  ])('knows what to do with %s', (_, installed, wishes, decision) => {
    expect(decideKonnector(installed, '1.5.0', wishes)).toMatchObject(decision);
  });

  it.each([
    ['CLI-16 skipping contradicts an image', undefined, { skip: true, image: 'x' }],
    ['skipping contradicts a downgrade', undefined, { skip: true, downgrade: true }],
    ['an image contradicts a downgrade', undefined, { image: 'x', downgrade: true }],
    ['a tag is no version', `${ours}:edge`, {}],
  ])('refuses to guess when %s', (_, installed, wishes) => {
    const decide = () => decideKonnector(installed, '1.5.0', wishes);
    expect(decide).toThrow(expect.toSatisfy((error) => isKlutchError(error, 'KLUTCH_USAGE')) as Error);
  });
});

describe('decideKonnector while bindings become namespaced', () => {
  const wishes = { mustServeNamespaced: true };

  it.each([
    ['a Go konnector', `${ours}:v1.5.0`, { action: 'apply', image: `${ours}:v2.0.0` }],
    ['an older Go konnector', `${ours}:v1.4.0`, { action: 'apply', image: `${ours}:v2.0.0` }],
    ['one of this version', `${ours}:v2.0.0`, { action: 'keep' }],
    ['a newer one', `${ours}:v2.1.0`, { action: 'keep' }],
    ['a mirrored one that knows namespaces', 'r.example:5000/konnector:v2.0.0', { action: 'keep' }],
  ])('knows what to do with %s', (_, installed, decision) => {
    expect(decideKonnector(installed, '2.0.0', wishes)).toMatchObject(decision);
  });

  it.each([
    'r.example:5000/konnector:v1.5.0',
    'r.example:5000/konnector:edge',
    `${ours}:latest`,
    `${ours}@sha256:0123`,
  ])('does not keep %s, and asks for the image to replace it with', (installed) => {
    expect(() => decideKonnector(installed, '2.0.0', wishes)).toThrow(/Name the image to replace it with/);
    expect(decideKonnector(installed, '2.0.0', { ...wishes, image: 'x:1' })).toMatchObject({ action: 'apply' });
  });
});

describe('a konnector of the same version', () => {
  it('is nothing to talk about', () => {
    expect(decideKonnector(`${ours}:v1.5.0`, '1.5.0')).toEqual({ action: 'keep', image: `${ours}:v1.5.0` });
  });
});

describe('images', () => {
  it.each([
    ['a/b:v1', { repository: 'a/b', tag: 'v1' }],
    ['host:5000/a/b', { repository: 'host:5000/a/b', tag: 'latest' }],
    ['host:5000/a/b:v1@sha256:00', { repository: 'host:5000/a/b', tag: 'v1' }],
    ['a@sha256:00', { repository: 'a' }],
  ])('are taken apart: %s', (image, parts) => {
    expect(parseImage(image)).toEqual(parts);
  });

  it.each(['1.2.3', 'v1.2.3'])('have the version of the command: %s', (version) => {
    expect(parseImage(defaultKonnectorImage(version))).toEqual({ repository: ours, tag: 'v1.2.3' });
  });
});
