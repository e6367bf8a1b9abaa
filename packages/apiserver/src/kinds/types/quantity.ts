const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;

const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** The smallest thing a quantity can tell apart, as a power of ten. */
const NANO = -9;

/**
 * An amount such as `1500m`, `1Gi` or `2e3` with the largest suffix that needs no fraction, as Kubernetes writes it;
 * undefined when it is none.
 */
export function canonicalQuantity(text: string): string | undefined {
  const [whole, sign = '', digits = '', fraction = '', suffix = ''] = SHAPE.exec(text) ?? [];
  if (whole === undefined || digits + fraction === '') return undefined;
  const amount = BigInt(digits + fraction);
  if (amount === 0n) return '0';
  const minus = sign === '-' ? '-' : '';
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return minus + binaryText(amount * 1024n ** BigInt(binary), fraction.length);
  const exponential = isExponent(suffix);
  const power = powerOf(suffix) - fraction.length;
  return looksCanonical(digits + fraction, power) ? text : minus + decimalText(amount, power, exponential);
}

const MAX_DIGITS = 18;

/** Whether Kubernetes takes a decimal number for canonical at first sight and leaves it as it is. */
function looksCanonical(digits: string, power: number): boolean {
  const isShort = digits.length <= MAX_DIGITS && /^[1-9]/.test(digits) && !digits.endsWith('000');
  return isShort && power >= NANO && power % 3 === 0;
}

/** @param places decimal places of the amount of bytes */
function binaryText(amount: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  // Powers of two would lose a fraction, and say nothing about small numbers.
  if (amount < 1024n * unit || amount % unit !== 0n) return decimalText(amount, -places, false);
  let rest = amount / unit;
  let suffix = 0;
  while (rest % 1024n === 0n && suffix < BINARY.length - 1) {
    rest /= 1024n;
    suffix++;
  }
  return `${rest}${BINARY[suffix]}`;
}

function decimalText(amount: bigint, exponent: number, isExponential: boolean): string {
  let rest = amount;
  let power = exponent;
  while (power < NANO) {
    rest = rest % 10n === 0n ? rest / 10n : rest / 10n + 1n;
    power++;
  }
  while (rest % 10n === 0n) {
    rest /= 10n;
    power++;
  }
  // Suffixes go in steps of a thousand.
  const highest = isExponential ? power : 18;
  const step = Math.min(Math.floor(power / 3) * 3, highest);
  rest *= 10n ** BigInt(power - step);
  if (!isExponential) return `${rest}${DECIMAL[step / 3 + 3]}`;
  return step === 0 ? `${rest}` : `${rest}e${step}`;
}

/** The amount of a canonical quantity in whole units, rounded up. */
export function wholeAmount(text: string): bigint {
  const [, sign = '', digits = '', fraction = '', suffix = ''] = SHAPE.exec(text) ?? [];
  const scaled = BigInt(`${digits}${fraction}` || '0') * factorOf(suffix);
  const unit = 10n ** BigInt(fraction.length) * divisorOf(suffix);
  const amount = (scaled + (sign === '-' ? 0n : unit - 1n)) / unit;
  return sign === '-' ? -amount : amount;
}

function factorOf(suffix: string): bigint {
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return 1024n ** BigInt(binary);
  const power = powerOf(suffix);
  return power > 0 ? 10n ** BigInt(power) : 1n;
}

function divisorOf(suffix: string): bigint {
  const power = BINARY.indexOf(suffix) > 0 ? 0 : powerOf(suffix);
  return power < 0 ? 10n ** BigInt(-power) : 1n;
}

/** The power of ten of a decimal suffix or an exponent. */
function powerOf(suffix: string): number {
  return isExponent(suffix) ? Number(suffix.slice(1)) : 3 * (DECIMAL.indexOf(suffix) - 3);
}

function isExponent(suffix: string): boolean {
  return /^[eE][+-]?\d/.test(suffix);
}
