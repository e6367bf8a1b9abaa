/** Reads the protobuf wire format. Throws a `RangeError` when the bytes end too early or make no sense. */
export class Reader {
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

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#at += 8;
    else if (wireType === 2) this.bytes();
    else if (wireType === 5) this.#at += 4;
    else throw new RangeError(`wire type ${wireType} is not used any more`);
  }
}
