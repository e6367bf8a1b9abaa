import { goQuote } from '../text/go-quote.ts';
import { BOOL, INT, named, STRING } from '../types/cel-type.ts';
import { EvalError } from '../values/eval-error.ts';
import { OpaqueValue } from '../values/opaque.ts';
import { define, type FunctionDeclaration, global, member } from './declaration.ts';

/** A version such as `1.2.3-rc.1+build`. What follows the plus does not count in comparisons. */
class Semver extends OpaqueValue {
  override readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (string | bigint)[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly (string | bigint)[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  override matches(other: this): boolean {
    return this.compareTo(other) === 0n;
  }

  compareTo(other: Semver): bigint {
    for (const [at, number] of this.numbers.entries()) {
      const theirs = other.numbers[at] ?? 0n;
      if (number !== theirs) return number < theirs ? -1n : 1n;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }
}

/** A version without a prerelease is newer than the same with one. */
function comparePrereleases(mine: Semver['prerelease'], theirs: Semver['prerelease']): bigint {
  if (mine.length === 0 || theirs.length === 0) return BigInt(Math.sign(theirs.length - mine.length));
  for (const [at, part] of mine.entries()) {
    const other = theirs[at];
    if (other === undefined) return 1n;
    const order = comparePart(part, other);
    if (order !== 0n) return order;
  }
  return mine.length < theirs.length ? -1n : 0n;
}

function comparePart(a: string | bigint, b: string | bigint): bigint {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1n : 1n;
  return a < b ? -1n : a > b ? 1n : 0n;
}

function parseSemver(text: string): Semver {
  if (text === '') throw new EvalError('Version string empty');
  const [major, minor, ...rest] = text.split('.');
  if (major === undefined || minor === undefined || rest.length === 0)
    throw new EvalError('No Major.Minor.Patch elements found');
  const tail = rest.join('.');
  const plus = tail.indexOf('+');
  const build = plus === -1 ? undefined : tail.slice(plus + 1);
  const beforeBuild = plus === -1 ? tail : tail.slice(0, plus);
  const dash = beforeBuild.indexOf('-');
  const patch = dash === -1 ? beforeBuild : beforeBuild.slice(0, dash);
  const prerelease = dash === -1 ? undefined : beforeBuild.slice(dash + 1);
  const numbers: [bigint, bigint, bigint] = [
    number(major, 'Major', 'major'),
    number(minor, 'Minor', 'minor'),
    number(patch, 'Patch', 'patch'),
  ];
  const parts = prerelease?.split('.').map(prereleasePart) ?? [];
  for (const part of build?.split('.') ?? []) checkBuildPart(part);
  return new Semver(numbers, parts);
}

function number(text: string, title: string, word: string): bigint {
  if (!/^\d*$/.test(text)) throw new EvalError(`Invalid character(s) found in ${word} number ${goQuote(text)}`);
  if (text.length > 1 && text.startsWith('0'))
    throw new EvalError(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  if (text === '') throw new EvalError('strconv.ParseUint: parsing "": invalid syntax');
  return BigInt(text);
}

function prereleasePart(text: string): string | bigint {
  if (text === '') throw new EvalError('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (text.length > 1 && text.startsWith('0')) {
      throw new EvalError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    }
    return BigInt(text);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text)) throw new EvalError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  return text;
}

function checkBuildPart(text: string): void {
  if (text === '') throw new EvalError('Build meta data is empty');
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new EvalError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
}

/** Also takes versions with a leading `v`, without minor or patch, and with leading zeros. */
function parseTolerantly(text: string): Semver {
  const parts = splitInThree(text.replace(/^v/, '')).map((part) => {
    if (part.length <= 1) return part;
    const trimmed = part.replace(/^0+/, '');
    return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new EvalError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parseSemver(parts.join('.'));
}

function splitInThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length <= 3 ? parts : [...parts.slice(0, 2), parts.slice(2).join('.')];
}

const parse = (text: string, normalize = false) => (normalize ? parseTolerantly(text) : parseSemver(text));

function isSemver(text: string, normalize = false): boolean {
  try {
    parse(text, normalize);
    return true;
  } catch (error) {
    if (error instanceof EvalError) return false;
    throw error;
  }
}

const SEMVER = named('kubernetes.Semver');

/** Versions. */
export const SEMVERS: readonly FunctionDeclaration[] = [
  define(
    'semver',
    global('string_to_semver', [STRING], SEMVER, parse),
    global('string_bool_to_semver', [STRING, BOOL], SEMVER, parse),
  ),
  define(
    'isSemver',
    global('is_semver_string', [STRING], BOOL, isSemver),
    global('is_semver_string_bool', [STRING, BOOL], BOOL, isSemver),
  ),
  define(
    'isGreaterThan',
    member('semver_is_greater_than', [SEMVER, SEMVER], BOOL, (a: Semver, b: Semver) => a.compareTo(b) > 0n),
  ),
  define(
    'isLessThan',
    member('semver_is_less_than', [SEMVER, SEMVER], BOOL, (a: Semver, b: Semver) => a.compareTo(b) < 0n),
  ),
  define(
    'compareTo',
    member('semver_compare_to', [SEMVER, SEMVER], INT, (a: Semver, b: Semver) => a.compareTo(b)),
  ),
  define(
    'major',
    member('semver_major', [SEMVER], INT, ({ numbers: [major] }: Semver) => major),
  ),
  define(
    'minor',
    member('semver_minor', [SEMVER], INT, ({ numbers: [, minor] }: Semver) => minor),
  ),
  define(
    'patch',
    member('semver_patch', [SEMVER], INT, ({ numbers: [, , patch] }: Semver) => patch),
  ),
];
