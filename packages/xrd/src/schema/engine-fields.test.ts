import { describe, expect, it } from 'vitest';
import { claimFields, compositeFields } from './engine-fields.ts';
import type { Schema } from './json.ts';

const claims = claimFields('Foreground');
const composites = compositeFields('Manual');

/** Each field with the fields below it, those that must be there marked by `!`. */
function outline(fields: Readonly<Record<string, Schema>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { type, items, properties = {}, required = [] }]) => {
      const below = items ? (items as Schema) : { properties, required };
      const { properties: inner = {}, required: needed = [] } = below;
      const names = Object.keys(inner as object).map((key) => ((needed as string[]).includes(key) ? `${key}!` : key));
      return [name, [type, ...names].join(' ')];
    }),
  );
}

describe('fields of Crossplane', () => {
  const common = {
    compositionRef: 'object name!',
    compositionSelector: 'object matchLabels!',
    compositionRevisionRef: 'object name!',
    compositionRevisionSelector: 'object matchLabels!',
    compositionUpdatePolicy: 'string',
    publishConnectionDetailsTo: 'object name! configRef metadata',
  };

  it('in the spec of claims lead to the composite', () => {
    expect(outline(claims.spec)).toEqual({
      ...common,
      compositeDeletePolicy: 'string',
      resourceRef: 'object apiVersion! kind! name!',
      writeConnectionSecretToRef: 'object name!',
    });
  });

  it('in the spec of composites lead to the claim and to what is composed', () => {
    expect(outline(composites.spec)).toEqual({
      ...common,
      claimRef: 'object apiVersion! kind! namespace! name!',
      resourceRefs: 'array apiVersion! name kind!',
      writeConnectionSecretToRef: 'object name! namespace!',
    });
    expect(composites.spec['resourceRefs']).toMatchObject({ 'x-kubernetes-list-type': 'atomic' });
  });

  it('have the default policies of the definition; claims have none for updates', () => {
    expect(claims.spec['compositeDeletePolicy']).toEqual({
      type: 'string',
      enum: ['Background', 'Foreground'],
      default: 'Foreground',
    });
    const updates = { type: 'string', enum: ['Automatic', 'Manual'] };
    expect(claims.spec['compositionUpdatePolicy']).toEqual(updates);
    expect(composites.spec['compositionUpdatePolicy']).toEqual({ ...updates, default: 'Manual' });
  });

  it('in the status are the same for both', () => {
    expect(claims.status).toEqual(composites.status);
    expect(outline(claims.status)).toEqual({
      conditions: 'array lastTransitionTime! message reason! status! type!',
      connectionDetails: 'object lastPublishedTime',
      claimConditionTypes: 'array',
    });
    expect(claims.status).toMatchObject({
      conditions: {
        description: 'Conditions of the resource.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
      },
      claimConditionTypes: { 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    });
  });
});
