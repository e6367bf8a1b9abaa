import { FUNCTIONS } from '../library/functions.ts';
import { type Issue, showIssues, SyntaxIssue } from '../syntax/issue.ts';
import { parse } from '../syntax/parse.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  STRING,
  TIMESTAMP,
  typeNameOf,
  UINT,
} from '../types/cel-type.ts';
import { check, type Checked } from '../types/check.ts';
import { literalIssues } from '../types/validate-literals.ts';

const TYPES: ReadonlyMap<string, CelType> = new Map([
  ...[BOOL, BYTES, DOUBLE, INT, listOf(DYN), mapOf(DYN, DYN), NULL, STRING, UINT, DURATION, TIMESTAMP].map(
    (type): [string, CelType] => [typeNameOf(type), type],
  ),
  ['type', { kind: 'type', of: undefined }],
  ['timestamp', TIMESTAMP],
  ['duration', DURATION],
  ['net.IP', opaque('net.IP')],
  ['net.CIDR', opaque('net.CIDR')],
  ['optional_type', optionalOf(DYN)],
]);

/** Reads an expression and finds the types of its parts; or says why it cannot run, as Kubernetes does. */
export function checkSource(source: string, variables: ReadonlyMap<string, CelType>): Checked | { problem: string } {
  const failed = (issues: readonly Issue[]) => ({
    problem: `compilation failed: ${showIssues(source, issues)}`,
  });
  try {
    const checked = check(parse(source), { variables, types: TYPES, functions: FUNCTIONS });
    const issues = checked.issues.length > 0 ? checked.issues : literalIssues(checked);
    return issues.length > 0 ? failed(issues) : checked;
  } catch (error) {
    if (error instanceof SyntaxIssue) return failed([{ at: error.at, message: error.message }]);
    throw error;
  }
}
