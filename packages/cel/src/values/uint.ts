/** An unsigned integer. */
export class Uint {
  readonly typeName = 'uint';
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}
