import { describe, expect, it } from 'vitest';
import { StatusError } from '../../status/status-error.ts';
import { UnreadableObject } from '../../status/unreadable-object.ts';
import { builtInSchema } from './built-in-schema.ts';
import { must, struct, text } from '../testing/fields.ts';

const type = struct('Gadget', { size: text(), name: must(text()) });

describe('builtInSchema', () => {
  it('refuses bodies that are no objects of the kind, and tells why also without the kind', () => {
    const schema = builtInSchema(type, 'v1');
    const attempt = () => schema.prune({ size: 5 });

    expect(attempt).toThrow(UnreadableObject);
    try {
      attempt();
    } catch (error) {
      const problem = 'json: cannot unmarshal number into Go struct field Gadget.size of type string';
      expect(error).toBeInstanceOf(StatusError);
      expect(error).toMatchObject({
        code: 400,
        reason: 'BadRequest',
        message: `Gadget in version "v1" cannot be handled as a Gadget: ${problem}`,
        problem,
      });
    }
  });

  it('fills in what is always there before the defaults of the kind', () => {
    const schema = builtInSchema(type, 'v1', (object) => {
      object['size'] = `of ${JSON.stringify(object['name'])}`;
    });
    const object = { apiVersion: 'v1', kind: 'Gadget', metadata: {} };

    schema.applyDefaults(object);

    expect(object).toEqual({ apiVersion: 'v1', kind: 'Gadget', metadata: {}, name: '', size: 'of ""' });
  });

  it('leaves judgement to the strategy of the kind', () => {
    const schema = builtInSchema(type, 'v1');

    expect(schema.validate({})).toEqual([]);
    expect(schema.validateStatus({}, {})).toEqual([]);
  });

  it('derives its source once', () => {
    const schema = builtInSchema(type, 'v1');

    expect(schema.source.title).toBe('Gadget');
    expect(schema.source).toBe(schema.source);
  });
});
