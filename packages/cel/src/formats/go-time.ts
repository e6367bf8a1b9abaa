/** Points in time as nanoseconds since 1970, read and written as Go does. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const CLOCK = /^(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})?$/;
const STRICT_CLOCK = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/su;

const NANOS_PER_SECOND = 1_000_000_000n;

/** Midnight of a day such as `2024-02-29`, in nanoseconds; undefined when there is no such day. */
export function parseDate(text: string): bigint | undefined {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return BigInt(date.getTime()) * 1_000_000n;
}

/** The `date-time` format of schemas, more tolerant than parsing: letters of any case, any character before a fraction. */
export function isDateTime(text: string): boolean {
  const [date = '', clock = ''] = text.toLowerCase().split('t');
  const [, hours = '', minutes = '', seconds = ''] = STRICT_CLOCK.exec(clock) ?? [];
  return hours !== '' && parseDate(date) !== undefined && hours <= '23' && minutes <= '59' && seconds <= '59';
}

/** Parses RFC 3339. */
export function parseTimestamp(text: string): bigint | undefined {
  return parse(text, false);
}

/** Parses RFC 3339, or the same without a time zone, which then is UTC. */
export function parseDateTime(text: string): bigint | undefined {
  return text === '' ? 0n : parse(text, true);
}

function parse(text: string, zoneIsOptional: boolean): bigint | undefined {
  const [date = '', clock = ''] = text.split('T');
  const midnight = parseDate(date);
  const [, hours, minutes, seconds, fraction = '', zone] = CLOCK.exec(clock) ?? [];
  if (midnight === undefined || hours === undefined || (zone === undefined && !zoneIsOptional)) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const offset = zoneOffset(zone ?? 'Z');
  if (offset === undefined) return undefined;
  const clockSeconds = BigInt(hours) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0);
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return midnight + (clockSeconds - offset) * NANOS_PER_SECOND + nanos;
}

function zoneOffset(zone: string): bigint | undefined {
  if (zone === 'Z') return 0n;
  const [hours = '', minutes = ''] = zone.slice(1).split(':');
  if (Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const seconds = BigInt(hours) * 3600n + BigInt(minutes) * 60n;
  return zone.startsWith('-') ? -seconds : seconds;
}

/** Writes RFC 3339 in UTC with as many digits of the second as needed. */
export function formatTimestamp(nanos: bigint): string {
  const subSecond = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  const seconds = (nanos - subSecond) / NANOS_PER_SECOND;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const digits = subSecond.toString().padStart(9, '0').replace(/0+$/, '');
  return `${whole}${digits === '' ? '' : `.${digits}`}Z`;
}
