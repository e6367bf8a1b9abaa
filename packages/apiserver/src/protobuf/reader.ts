/** What a field holds: a number, or bytes that are a text or a message. */
export type Content = bigint | Uint8Array;

/**
 * The fields of a message in the order in which they come; those of fixed length are left out. Throws a `RangeError` when
 * the bytes end too early or make no sense.
 */
export function* fieldsIn(bytes: Uint8Array): Generator<{ readonly number: number; readonly content: Content }> {
  const reader = new Reader(bytes);
  while (!reader.atEnd) {
    const { field: number, wireType } = reader.tag();
    if (wireType === 0) yield { number, content: reader.varint() };
    else if (wireType === 2) yield { number, content: reader.bytes() };
    else reader.skip(wireType);
  }
}

export function textOf(content: Content): string {
  if (typeof content === 'bigint') throw new RangeError('a text is expected');
  return Buffer.from(content).toString('utf8');
}

/** Reads the protobuf wire format. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Number and wire type of the next field. */
  tag(): { readonly field: number; readonly wireType: number } {
    const tag = Number(this.varint());
    return { field: Math.floor(tag / 8), wireType: tag % 8 };
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('a number is cut off or too long');
  }

  /** The content of a field that says its length. */
  bytes(): Uint8Array {
    const length = Number(this.varint());
    if (this.#at + length > this.#bytes.length) throw new RangeError('a field is longer than the message');
    const found = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return found;
  }

  /** Leaves out a field of fixed length. */
  skip(wireType: number): void {
    if (wireType === 1) this.#at += 8;
    else if (wireType === 5) this.#at += 4;
    else throw new RangeError(`wire type ${wireType} is not used any more`);
  }
}
