import type { Correlation } from '../schema/correlation.ts';
import type { FieldCause } from './field-error.ts';

/** Examines one value and reports to the walk. */
export type Check = (value: unknown, walk: Walk) => void;

interface Problem {
  /** Two problems with the same text are one. */
  readonly text: string;
  readonly cause: FieldCause;
}

/** What a part of the walk found. */
export interface Findings {
  problems: Problem[];
  /** How many checks applied and passed: of several alternatives that fail, the one with most of them is reported. */
  matches: number;
}

/** A walk through one object along its schema: where it is, what it found, and what stood there before an update. */
export class Walk {
  readonly #segments: (string | number)[] = [];
  #findings: Findings = { problems: [], matches: 0 };
  #correlation: Correlation | undefined;

  constructor(correlation?: Correlation) {
    this.#correlation = correlation;
  }

  /** Path of the current value as messages show it, such as `spec.items[0].name`; entries of maps look like fields here. */
  get path(): string {
    let path = '';
    for (const segment of this.#segments) {
      if (typeof segment === 'number') path += `[${segment}]`;
      else path += path === '' ? segment : `.${segment}`;
    }
    return path;
  }

  /** The same as the field of an error. */
  get fieldPath(): string {
    return this.path.replace(/^\./, '');
  }

  get causes(): readonly FieldCause[] {
    return this.#findings.problems.map(({ cause }) => cause);
  }

  /** Counts checks that applied. */
  match(count = 1): void {
    this.#findings.matches += count;
  }

  report(text: string, cause: FieldCause): void {
    const { problems } = this.#findings;
    if (!problems.some((known) => known.text === text)) problems.push({ text, cause });
  }

  field(name: string, value: unknown, check: Check): void {
    const isTypeMeta = this.#segments.length === 0 && (name === 'kind' || name === 'apiVersion');
    this.#descend(name, value, check, isTypeMeta ? undefined : this.#correlation?.key(name));
  }

  /** A field that is an entry of a map. In the root of a walk, its path starts with a dot. */
  entry(name: string, value: unknown, check: Check): void {
    const segment = this.#segments.length === 0 ? `.${name}` : name;
    this.#descend(segment, value, check, this.#correlation?.key(name));
  }

  item(at: number, value: unknown, check: Check): void {
    this.#descend(at, value, check, this.#correlation?.index(at));
  }

  /** Runs a check on the value itself and tolerates what it finds when the value did not change. */
  visit(value: unknown, check: Check): void {
    const { problems } = this.#findings;
    const before = problems.length;
    check(value, this);
    if (problems.length > before && this.#correlation?.unchanged) problems.length = before;
  }

  /** Runs a check apart: its findings are returned, not reported. Alternatives of junctors do not look at history. */
  attempt(value: unknown, check: Check): Findings {
    const outer = this.#findings;
    const correlation = this.#correlation;
    const found: Findings = { problems: [], matches: 0 };
    this.#findings = found;
    this.#correlation = undefined;
    check(value, this);
    this.#findings = outer;
    this.#correlation = correlation;
    return found;
  }

  /** Adopts what an attempt found. */
  merge({ problems, matches }: Findings): void {
    for (const { text, cause } of problems) this.report(text, cause);
    this.#findings.matches += matches;
  }

  #descend(segment: string | number, value: unknown, check: Check, correlation: Correlation | undefined): void {
    const outer = this.#correlation;
    this.#correlation = correlation;
    this.#segments.push(segment);
    this.visit(value, check);
    this.#segments.pop();
    this.#correlation = outer;
  }
}
