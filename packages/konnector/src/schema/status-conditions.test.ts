import { describe, expect, it } from 'vitest';
import { keepsConditions } from './status-conditions.ts';

const text = { type: 'string' };
const item = (properties: object = {}, more: object = {}) => ({
  type: 'object',
  properties: {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: { ...text, format: 'date-time' },
    ...properties,
  },
  ...more,
});
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const status = (conditions: object, more: object = {}) => ({
  type: 'object',
  properties: { status: { type: 'object', properties: { conditions }, ...more } },
});
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** As controller-gen writes `metav1.Condition`. */
const standardCondition = item(
  {
    type: {
      ...text,
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    },
    status: { ...text, enum: ['True', 'False', 'Unknown'] },
    reason: { ...text, minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
    message: { ...text, maxLength: 32768 },
    observedGeneration: { type: 'integer', minimum: 0 },
  },
  { required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'] },
);

describe('conditions are kept by', () => {
  it.each([
    ['the standard schema', status(list(standardCondition))],
    [
      'a list keyed by type',
      status(list(standardCondition, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })),
    ],
    ['items with further optional fields', status(list(item({ severity: text })))],
    ['items that keep anything', status(list(free))],
    ['a status that keeps anything', { type: 'object', properties: { status: free } }],
    ['an object that keeps anything', free],
  ])('%s', (_, schema) => {
    expect(keepsConditions(schema)).toBe(true);
  });

  it.each([
    ['no schema', undefined],
    ['a schema without status', { type: 'object', properties: {} }],
    ['a status without conditions', { type: 'object', properties: { status: { type: 'object' } } }],
    ['conditions that are no list', status({ type: 'object', additionalProperties: text })],
    ['items that lack a field', status(list({ type: 'object', properties: { type: text, status: text } }))],
    ['items that require another field', status(list(item({ severity: text }, { required: ['severity'] })))],
    ['a closed choice of types', status(list(item({ type: { ...text, enum: ['Ready'] } })))],
    ['a closed choice of reasons', status(list(item({ reason: { ...text, enum: ['Available'] } })))],
    ['short messages', status(list(item({ message: { ...text, maxLength: 100 } })))],
    ['a pattern we would not match', status(list(item({ reason: { ...text, pattern: '^[a-z]+$' } })))],
    ['a pattern we cannot read', status(list(item({ reason: { ...text, pattern: '(?P<x>[A-Z' } })))],
    ['a time of another form', status(list(item({ lastTransitionTime: { ...text, format: 'date' } })))],
    ['a list with a limit', status(list(item(), { maxItems: 3 }))],
    ['a list that is keyed otherwise', status(list(item(), { 'x-kubernetes-list-map-keys': ['type', 'reason'] }))],
    ['rules on the list', status(list(item(), { 'x-kubernetes-validations': [{ rule: 'self.size() < 2' }] }))],
    ['rules on the status', status(list(item()), { oneOf: [{ required: ['a'] }] })],
  ])('not by %s', (_, schema) => {
    expect(keepsConditions(schema)).toBe(false);
  });
});
