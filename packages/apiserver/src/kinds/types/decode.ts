import { type Form, type GoType, goName, type Scalar, type Struct } from './go-type.ts';
import { jsonKind } from './json-kind.ts';
import { scalarForms, type WrongKind } from './scalar-forms.ts';

/** A value that its type cannot hold, in the words of Go. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

type JsonFields = Record<string, unknown>;

/** Fields of every object that have rules of their own. */
const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Reads an object as Go reads it into a struct, in place: nulls and unknown fields go, times and quantities take their
 * canonical form. Returns the paths of unknown fields; throws a {@link DecodeError} for the first value of a wrong type.
 */
export function decodeAs(root: Struct, object: object): readonly string[] {
  const decoder = new Decoder(root);
  const fields = object as JsonFields;
  for (const key of Object.keys(fields)) {
    if (!OBJECT_FIELDS.has(key)) decoder.field(root, fields, key);
  }
  return decoder.unknown;
}

/** A step of a path: the name of a field, the key of a dict, or a position in a list. */
type Step = { readonly field: string; readonly inlinedFrom?: string } | { readonly key: string } | number;

class Decoder {
  readonly unknown: string[] = [];
  readonly #trail: Step[] = [];
  /** The struct whose field is being read. */
  #struct: Struct;
  #isSilent = false;

  constructor(root: Struct) {
    this.#struct = root;
  }

  field(struct: Struct, fields: JsonFields, key: string): void {
    const field = struct.fields.get(key);
    const content = fields[key];
    if (field === undefined) {
      if (!this.#isSilent) this.unknown.push(this.#path(key));
      delete fields[key];
      return;
    }
    if (content === null) {
      delete fields[key];
      return;
    }
    this.#struct = struct;
    this.#trail.push({ field: key, inlinedFrom: field.inlinedFrom });
    fields[key] = this.#value(field.type, content);
    this.#trail.pop();
  }

  #value(type: GoType, content: unknown): unknown {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type, content);
      case 'raw':
        return content;
      case 'list':
        return this.#list(type, content);
      case 'dict':
        return this.#dict(type, content);
      case 'struct':
        if (!isFields(content)) throw this.#wrongType(type, content);
        for (const key of Object.keys(content)) this.field(type, content, key);
        return content;
      case 'either':
        return this.#either(type.options, content);
    }
  }

  #list(type: Extract<GoType, { kind: 'list' }>, content: unknown): unknown {
    if (!Array.isArray(content)) throw this.#wrongType(type, content);
    const struct = this.#struct;
    for (const [at, item] of content.entries()) {
      this.#struct = struct;
      this.#trail.push(at);
      content[at] = this.#value(type.items, item === null ? zeroOf(type.items) : item);
      this.#trail.pop();
    }
    return content;
  }

  #dict(type: Extract<GoType, { kind: 'dict' }>, content: unknown): unknown {
    if (!isFields(content)) throw this.#wrongType(type, content);
    const struct = this.#struct;
    for (const key of Object.keys(content)) {
      this.#struct = struct;
      this.#trail.push({ key });
      const item = content[key];
      content[key] = this.#value(type.values, item === null ? zeroOf(type.values) : item);
      this.#trail.pop();
    }
    return content;
  }

  #either(options: readonly GoType[], content: unknown): unknown {
    const option = options.find((candidate) => takes(candidate, content));
    if (option === undefined) throw this.#wrongType(options[0] ?? { kind: 'raw' }, content);
    const wasSilent = this.#isSilent;
    this.#isSilent = true;
    const decoded = this.#value(option, content);
    this.#isSilent = wasSilent;
    return decoded;
  }

  #scalar(type: Scalar, content: unknown): unknown {
    const read = scalarForms[type.form](content);
    if (typeof read !== 'object') return read;
    if ('problem' in read) throw new DecodeError(read.problem);
    throw this.#wrongType(type, content, read);
  }

  #wrongType(
    type: GoType,
    content: unknown,
    { shown = jsonKind(content), wanted = goName(type) }: WrongKind = {},
  ): DecodeError {
    const place = [this.#struct.name, ...this.#trail.flatMap(goSteps)].join('.');
    return new DecodeError(`json: cannot unmarshal ${shown} into Go struct field ${place} of type ${wanted}`);
  }

  #path(key: string): string {
    let path = '';
    for (const step of [...this.#trail, { field: key }]) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += `${path === '' ? '' : '.'}${'field' in step ? step.field : step.key}`;
    }
    return path;
  }
}

/** The part of a path that Go tells in errors: names of fields only. */
function goSteps(step: Step): readonly string[] {
  if (typeof step === 'number' || 'key' in step) return [];
  return step.inlinedFrom === undefined ? [step.field] : [step.inlinedFrom, step.field];
}

function isFields(content: unknown): content is JsonFields {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

function takes(type: GoType, content: unknown): boolean {
  switch (type.kind) {
    case 'list':
      return Array.isArray(content);
    case 'scalar':
      return typeof content === typeof ZEROS[type.form];
    case 'raw':
      return true;
    default:
      return isFields(content);
  }
}

/** Null as an item says: the zero value. */
function zeroOf(type: GoType): unknown {
  switch (type.kind) {
    case 'scalar':
      return ZEROS[type.form];
    case 'list':
      return [];
    case 'raw':
      return null;
    default:
      return {};
  }
}

/** What scalars are when nothing is said. Times are null then. */
export const ZEROS: Readonly<Record<Form, string | number | boolean | null>> = {
  text: '',
  int32: 0,
  int64: 0,
  number: 0,
  boolean: false,
  bytes: '',
  time: null,
  microTime: null,
  quantity: '0',
  intOrString: 0,
};
