/** A whole number in full, without an exponent. */
export function goInt(value: number): string {
  return BigInt(Math.trunc(value)).toString();
}

/** A float64 as Go's `%v` shows it: shortest digits, with an exponent from a million on and below 1e-4. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return plainDecimal(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A number as Go shows it, given that whole ones up to 64 bits are integers there. */
export function goNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? goInt(value) : goFloat(value);
}

/** The shortest digits that identify a float64, without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = text.split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
