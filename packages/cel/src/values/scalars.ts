import { CelObject } from './cel-object.ts';
import type { CelValue } from './value.ts';

/** A point in time. */
export class Timestamp extends CelObject {
  override readonly typeName = 'google.protobuf.Timestamp';
  /** Nanoseconds since 1970. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  override equals(other: CelValue): boolean {
    return other instanceof Timestamp && this.nanos === other.nanos;
  }
}

/** A length of time. */
export class Duration extends CelObject {
  override readonly typeName = 'google.protobuf.Duration';
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  override equals(other: CelValue): boolean {
    return other instanceof Duration && this.nanos === other.nanos;
  }
}

/** A type as a value: what `type(x)` gives, and what `int`, `string`, … are. */
export class TypeValue extends CelObject {
  override readonly typeName = 'type';
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override equals(other: CelValue): boolean {
    return other instanceof TypeValue && this.name === other.name;
  }
}
