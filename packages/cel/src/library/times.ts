import { DURATION, INT, STRING, TIMESTAMP } from '../types/cel-type.ts';
import { EvalError } from '../values/eval-error.ts';
import type { Duration, Timestamp } from '../values/scalars.ts';
import { floorDivide } from './conversions.ts';
import { define, type FunctionDeclaration, member } from './declaration.ts';

/** A date and a clock in some time zone. */
type Local = Date;

/** Reads one part of a date. */
type Part = (local: Local) => number;

const dayOfYear: Part = (local) => {
  const start = new Date(local).setUTCMonth(0, 1);
  return Math.round((local.getTime() - start) / 86_400_000);
};

const PARTS: readonly (readonly [name: string, id: string, part: Part])[] = [
  ['getFullYear', 'timestamp_to_year', (local) => local.getUTCFullYear()],
  ['getMonth', 'timestamp_to_month', (local) => local.getUTCMonth()],
  ['getDayOfYear', 'timestamp_to_day_of_year', dayOfYear],
  ['getDayOfMonth', 'timestamp_to_day_of_month', (local) => local.getUTCDate() - 1],
  ['getDate', 'timestamp_to_day_of_month_1_based', (local) => local.getUTCDate()],
  ['getDayOfWeek', 'timestamp_to_day_of_week', (local) => local.getUTCDay()],
  ['getHours', 'timestamp_to_hours', (local) => local.getUTCHours()],
  ['getMinutes', 'timestamp_to_minutes', (local) => local.getUTCMinutes()],
  ['getSeconds', 'timestamp_to_seconds', (local) => local.getUTCSeconds()],
  ['getMilliseconds', 'timestamp_to_milliseconds', (local) => local.getUTCMilliseconds()],
];

const LENGTHS: Readonly<Record<string, readonly [id: string, nanos: bigint]>> = {
  getHours: ['duration_to_hours', 3_600_000_000_000n],
  getMinutes: ['duration_to_minutes', 60_000_000_000n],
  getSeconds: ['duration_to_seconds', 1_000_000_000n],
  getMilliseconds: ['duration_to_milliseconds', 1_000_000n],
};

/** Parts of timestamps, in UTC or in a time zone, and whole units of durations. */
export const TIMES: readonly FunctionDeclaration[] = PARTS.map(([name, id, part]) => {
  const length = LENGTHS[name];
  return define(
    name,
    member(id, [TIMESTAMP], INT, (time: Timestamp) => BigInt(part(inZone(time, 'UTC')))),
    member(`${id}_with_tz`, [TIMESTAMP, STRING], INT, (time: Timestamp, zone: string) =>
      BigInt(part(inZone(time, zone))),
    ),
    ...(length ? [member(length[0], [DURATION], INT, ({ nanos }: Duration) => nanos / length[1])] : []),
  );
});

/** The clock of a time zone, as a date of which the UTC parts are read. */
function inZone({ nanos }: Timestamp, zone: string): Local {
  const millis = Number(floorDivide(nanos, 1_000_000n));
  if (zone === 'UTC' || zone === '') return new Date(millis);
  const offset = zone.includes(':') ? fixedOffset(zone) : namedOffset(millis, zone);
  return new Date(millis + offset);
}

/** `+05:30` in milliseconds. */
function fixedOffset(zone: string): number {
  const [hours = '', minutes = ''] = zone.split(':');
  for (const part of [hours, minutes]) {
    if (!/^[+-]?\d+$/.test(part)) throw new EvalError(`strconv.Atoi: parsing "${part}": invalid syntax`);
  }
  const sign = zone.startsWith('-') ? -1 : 1;
  return (Number(hours) * 60 + sign * Number(minutes)) * 60_000;
}

/** What a zone was ahead of UTC at a point in time, in milliseconds; before there were zones, to the second. */
function namedOffset(millis: number, zone: string): number {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const { value = '' } = format.formatToParts(millis).find(({ type }) => type === 'timeZoneName') ?? {};
    const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(value) ?? [];
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -ahead : ahead) * 1000;
  } catch (error) {
    throw new EvalError(`unknown time zone ${zone}`, { cause: error });
  }
}
