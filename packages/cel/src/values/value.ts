import type { ListValue } from './list.ts';
import type { MapValue } from './map.ts';
import type { OpaqueValue } from './opaque.ts';
import type { Optional } from './optional.ts';
import type { Duration, Timestamp, TypeValue } from './scalars.ts';
import type { Uint } from './uint.ts';

/**
 * A value of CEL. Integers are bigints, doubles are numbers: this keeps `1` and `1.0` apart and integers exact.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | ListValue
  | MapValue
  | Optional
  | OpaqueValue;
