/** New values by path, such as `spec.versions[0].name`; undefined takes the field away. */
export type Changes = Readonly<Record<string, unknown>>;

/** What the API server is expected to make of an object. */
export type Expected =
  | { readonly outcome: 'accepted' }
  /** Refused as invalid, because of the field at that path. */
  | { readonly outcome: 'refused'; readonly at: string; readonly saying: string }
  /** Accepted, and stored with these values. */
  | { readonly outcome: 'yields'; readonly values: Changes };

/** One sentence of the contract: what is sent, and what must come of it. */
export type Row = {
  readonly title: string;
  readonly expected: Expected;
} & (
  | { readonly does: 'create'; readonly changes: Changes }
  /** The object is first created with `given`. */
  | { readonly does: 'update'; readonly given: Changes; readonly changes: Changes }
  | { readonly does: 'report'; readonly status: unknown }
);

/** A row about creating the kind's plain object with changes. */
export function creating(title: string, changes: Changes, expected: Expected): Row {
  return { does: 'create', title, changes, expected };
}

/** A row about changing an object that was created with `given`. */
export function updating(title: string, given: Changes, changes: Changes, expected: Expected): Row {
  return { does: 'update', title, given, changes, expected };
}

/** A row about writing the status of the kind's plain object. */
export function reporting(title: string, status: unknown, expected: Expected): Row {
  return { does: 'report', title, status, expected };
}

export const accepted: Expected = { outcome: 'accepted' };

export function refused(at: string, saying = ''): Expected {
  return { outcome: 'refused', at, saying };
}

export function yields(values: Changes): Expected {
  return { outcome: 'yields', values };
}

/** Rows for every value of a closed set, and one for a value outside it. `path` is that of the field. */
export function enumRows(path: string, values: readonly string[]): readonly Row[] {
  return [
    ...values.map((value) => creating(`accepts ${path} ${value}`, { [path]: value }, accepted)),
    creating(`refuses ${path} outside ${values.join(', ')}`, { [path]: 'Whatever' }, refused(path, 'supported values')),
  ];
}

/** Rows that take away each of the fields below a path. */
export function requiredRows(path: string, fields: readonly string[]): readonly Row[] {
  return fields.map((field) =>
    creating(`requires ${path}.${field}`, { [`${path}.${field}`]: undefined }, refused(`${path}.${field}`, 'Required')),
  );
}
