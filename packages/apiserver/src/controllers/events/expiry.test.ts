import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../objects/api-object.ts';
import { expiryOf } from './expiry.ts';

const event = (metadata: Metadata) => ({ apiVersion: 'v1', kind: 'Event', metadata });
const at = (text: string) => Date.parse(text);

describe('the expiry of an event', () => {
  it('comes an hour after it was created', () => {
    expect(expiryOf(event({ creationTimestamp: '2024-01-02T03:04:05Z' }))).toBe(at('2024-01-02T04:04:05Z'));
  });

  it('is put off by every change', () => {
    const managedFields = [{ time: '2024-01-02T03:30:00Z' }, { time: '2024-01-02T03:20:00Z' }, {}];
    const metadata = { creationTimestamp: '2024-01-02T03:04:05Z', managedFields };

    expect(expiryOf(event(metadata))).toBe(at('2024-01-02T04:30:00Z'));
  });

  it('never comes when nobody knows how old it is', () => {
    expect(expiryOf(event({}))).toBe(Number.POSITIVE_INFINITY);
  });
});
