import { BOOL, DOUBLE, INT, named, STRING } from '../types/cel-type.ts';
import { EvalError, noSuchOverload } from '../values/eval-error.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const WRONG_SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

const MAX = 2n ** 63n - 1n;
const FINEST = -9;

/** An amount such as `1.5Gi`: digits times a power of ten. */
class Quantity extends OpaqueValue {
  override readonly typeName = 'kubernetes.Quantity';
  readonly digits: bigint;
  readonly scale: number;
  /** Whether Kubernetes holds it as a 64-bit number; others are never integers to it. */
  readonly isSmall: boolean;
  /** Kubernetes cannot compare a plain quantity with one that was computed, only the other way round. */
  readonly isComputed: boolean;

  constructor(digits: bigint, scale: number, isSmall: boolean, isComputed = false) {
    super();
    this.digits = digits;
    this.scale = scale;
    this.isSmall = isSmall;
    this.isComputed = isComputed;
  }

  override matches(other: this): boolean {
    if (other.isComputed) throw noSuchOverload();
    return this.compareTo(other) === 0n;
  }

  compareTo(other: Quantity): bigint {
    const [mine, theirs] = aligned(this, other);
    return mine < theirs ? -1n : mine > theirs ? 1n : 0n;
  }

  plus(other: Quantity, sign: 1n | -1n): Quantity {
    const [mine, theirs] = aligned(this, other);
    const sum = mine + sign * theirs;
    const scale =
      this.digits === 0n ? other.scale : other.digits === 0n ? this.scale : Math.min(this.scale, other.scale);
    const digits =
      scale === Math.min(this.scale, other.scale)
        ? sum
        : sum / 10n ** BigInt(scale - Math.min(this.scale, other.scale));
    return new Quantity(digits, scale, this.isSmall && other.isSmall && BigInt.asIntN(64, digits) === digits, true);
  }

  /** As a 64-bit integer; undefined when it has decimals, even if those are zeros. */
  get integer(): bigint | undefined {
    if (!this.isSmall || this.scale < 0) return undefined;
    const value = this.digits * 10n ** BigInt(this.scale);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  get approximately(): number {
    return this.scale < 0 ? Number(this.digits) / 10 ** -this.scale : Number(this.digits) * 10 ** this.scale;
  }
}

/** The digits of two amounts at the same scale. */
function aligned(a: Quantity, b: Quantity): [bigint, bigint] {
  const scale = Math.min(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(a.scale - scale), b.digits * 10n ** BigInt(b.scale - scale)];
}

function parseQuantity(text: string): Quantity {
  const [, sign = '', whole = '', fraction = '', suffix = ''] = SHAPE.exec(text) ?? [];
  if (whole === '' && fraction === '') throw new EvalError(WRONG_SHAPE);
  const positive = BigInt(`${whole}${fraction}` || '0');
  const signed = sign === '-' ? -positive : positive;
  const binary = Object.hasOwn(BINARY, suffix) ? BINARY[suffix] : undefined;
  const significant = whole.replace(/^0+/, '').length;
  if (binary !== undefined) return binaryQuantity(signed, fraction.length, binary, significant);
  const isSmall = significant + fraction.length <= 18;
  return limited(signed, decimalExponent(suffix) - fraction.length, isSmall);
}

function binaryQuantity(signed: bigint, decimals: number, exponent: number, significant: number): Quantity {
  const isSmall = decimals === 0 && 15 - significant - Math.trunc((exponent * 3) / 10) - 1 >= 0;
  return limited(signed * 2n ** BigInt(exponent), -decimals, isSmall);
}

function decimalExponent(suffix: string): number {
  const known = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined;
  if (known !== undefined) return known;
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix);
  if (!exponent) throw new EvalError("unable to parse quantity's suffix");
  return Number(exponent[1]);
}

/** Nothing is finer than a billionth (rounded away from zero) or larger than 64 bits. */
function limited(digits: bigint, scale: number, isSmall: boolean): Quantity {
  if (scale < FINEST) {
    const unit = 10n ** BigInt(FINEST - scale);
    const rounded = digits / unit + (digits % unit === 0n ? 0n : digits < 0n ? -1n : 1n);
    return new Quantity(rounded, FINEST, false);
  }
  const size = digits < 0n ? -digits : digits;
  const isTooLarge =
    !isSmall && (scale > 40 || size * 10n ** BigInt(Math.max(scale, 0)) > MAX * 10n ** BigInt(Math.max(-scale, 0)));
  if (isTooLarge) return new Quantity(digits < 0n ? -MAX : MAX, 0, false);
  return new Quantity(digits, scale, isSmall);
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof EvalError) return false;
    throw error;
  }
}

function asInteger({ integer }: Quantity): bigint {
  if (integer === undefined) throw new EvalError('cannot convert value to integer');
  return integer;
}

const whole = (value: bigint) => new Quantity(value, 0, true);

const QUANTITY = named('kubernetes.Quantity');

/** Amounts of resources. */
export const QUANTITIES: readonly FunctionDeclaration[] = [
  define('quantity', global('string_to_quantity', [STRING], QUANTITY, parseQuantity)),
  define('isQuantity', global('is_quantity_string', [STRING], BOOL, isQuantity)),
  define(
    'sign',
    global('quantity_sign', [QUANTITY], INT, ({ digits }: Quantity) => (digits < 0n ? -1n : digits > 0n ? 1n : 0n)),
  ),
  define(
    'isGreaterThan',
    member('quantity_is_greater_than', [QUANTITY, QUANTITY], BOOL, (a: Quantity, b: Quantity) => a.compareTo(b) > 0n),
  ),
  define(
    'isLessThan',
    member('quantity_is_less_than', [QUANTITY, QUANTITY], BOOL, (a: Quantity, b: Quantity) => a.compareTo(b) < 0n),
  ),
  define(
    'compareTo',
    member('quantity_compare_to', [QUANTITY, QUANTITY], INT, (a: Quantity, b: Quantity) => a.compareTo(b)),
  ),
  define(
    'asApproximateFloat',
    member('quantity_get_float', [QUANTITY], DOUBLE, (quantity: Quantity) => quantity.approximately),
  ),
  define('asInteger', member('quantity_get_int', [QUANTITY], INT, asInteger)),
  define(
    'isInteger',
    member('quantity_is_integer', [QUANTITY], BOOL, ({ integer }: Quantity) => integer !== undefined),
  ),
  define(
    'add',
    member('quantity_add', [QUANTITY, QUANTITY], QUANTITY, (a: Quantity, b: Quantity) => a.plus(b, 1n)),
    member('quantity_add_int', [QUANTITY, INT], QUANTITY, (a: Quantity, b: bigint) => a.plus(whole(b), 1n)),
  ),
  define(
    'sub',
    member('quantity_sub', [QUANTITY, QUANTITY], QUANTITY, (a: Quantity, b: Quantity) => a.plus(b, -1n)),
    member('quantity_sub_int', [QUANTITY, INT], QUANTITY, (a: Quantity, b: bigint) => a.plus(whole(b), -1n)),
  ),
];
