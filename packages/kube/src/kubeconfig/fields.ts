import { invalidField, type Place } from './place.ts';

/** A value and where it was written. */
export interface Field<T> {
  readonly value: T;
  readonly place: Place;
}

/**
 * Reads the fields of one mapping and checks their types. A field that is absent, null or empty counts as not set, as
 * it does for client-go. Unknown fields are ignored for the same reason.
 */
export class FieldReader {
  readonly place: Place;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown, place: Place) {
    if (value !== null && value !== undefined && !isRecord(value)) {
      throw invalidField(place, `must be a mapping (key: value), but is ${nameOf(value)}.`);
    }
    this.place = place;
    this.#fields = value ?? {};
  }

  text(name: string): Field<string> | undefined {
    const value = this.#own(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return { value, place: this.place.at(name) };
    const advice = typeof value === 'object' ? '' : ' Put the value in quotes.';
    throw invalidField(this.place.at(name), `must be text, but is ${nameOf(value)}.${advice}`);
  }

  flag(name: string): Field<boolean> | undefined {
    const value = this.#own(name);
    if (value === undefined) return undefined;
    const place = this.place.at(name);
    if (typeof value === 'boolean') return { value, place };
    // YAML 1.1, which Go reads, has more words for these.
    if (typeof value === 'string' && /^(y|yes|on)$/i.test(value)) return { value: true, place };
    if (typeof value === 'string' && /^(n|no|off)$/i.test(value)) return { value: false, place };
    throw invalidField(place, `must be true or false, but is ${nameOf(value)}.`);
  }

  /** Text that is written in base64; yields it decoded. */
  base64(name: string): Field<string> | undefined {
    const field = this.text(name);
    if (field === undefined) return undefined;
    const encoded = field.value.replaceAll(/\s/g, '');
    if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
      const advice = encoded.startsWith('-----BEGIN')
        ? 'It is PEM: encode it, for example with "base64 -w0".'
        : 'Copy the value again, whole and unchanged.';
      throw invalidField(field.place, `is not base64. ${advice}`);
    }
    return { value: Buffer.from(encoded, 'base64').toString('utf8'), place: field.place };
  }

  mapping(name: string): FieldReader | undefined {
    const value = this.#own(name);
    return value === undefined ? undefined : new FieldReader(value, this.place.at(name));
  }

  list(name: string): readonly Field<unknown>[] {
    const value = this.#own(name);
    if (value === undefined) return [];
    const place = this.place.at(name);
    if (!Array.isArray(value)) throw invalidField(place, `must be a list, but is ${nameOf(value)}.`);
    return value.map((item: unknown, index) => ({ value: item, place: place.at(index) }));
  }

  texts(name: string): readonly string[] {
    return this.list(name).map(({ value, place }) => {
      if (typeof value === 'string') return value;
      throw invalidField(place, `must be text, but is ${nameOf(value)}. Put the value in quotes.`);
    });
  }

  /** A value of any shape, for content that is passed on and not interpreted here. */
  any(name: string): Field<unknown> | undefined {
    const value = this.#own(name);
    return value === undefined ? undefined : { value, place: this.place.at(name) };
  }

  names(): readonly string[] {
    return Object.keys(this.#fields);
  }

  #own(name: string): unknown {
    return this.#fields[name] ?? undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'number' || typeof value === 'bigint' ? 'a number' : 'text';
}
