import { compile, type Expression, type Rejected } from '../expressions/compile.ts';
import type { Node } from '../schema/node.ts';
import type { ValidationRule } from '../schema/json-schema.ts';
import { type CelType, optionalOf } from '../types/cel-type.ts';
import { MAX_REQUEST, type SchemaType } from '../types/schema-type.ts';
import { findField, isFieldPath } from '../schema/find-field.ts';

/** A rule of a schema and what became of its expressions. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** Undefined when the rule is blank. */
  readonly rule: Expression | Rejected | undefined;
  readonly message: Expression | Rejected | undefined;
  /** Path of the field the rule is about, relative to where the rule stands; empty for that place itself. */
  readonly fieldPath: string;
  /** How often the place of the rule can occur in one object, when nothing else limits it. */
  readonly maxOccurrences: number;
}

/** Compiles the rules that stand at one place of a schema. */
export function compileRules(node: Node, self: SchemaType): CompiledRule[] {
  const rules = node.source['x-kubernetes-validations'] ?? [];
  return rules.map((source) => compileRule(source, node, self));
}

function compileRule(source: ValidationRule, node: Node, self: SchemaType): CompiledRule {
  const oldSelf = source.optionalOldSelf ? optionalOf(self.type) : self.type;
  // Kubernetes looks up the sizes of all data in the schema of `self`.
  const compiled = (text: string, kind: CelType['kind'], complaint: string) =>
    compile(
      text,
      { variables: { self, oldSelf }, result: (type) => (type.kind === kind ? undefined : complaint) },
      () => self,
    );
  const rule =
    source.rule.trim() === '' ? undefined : compiled(source.rule, 'bool', 'cel expression must evaluate to a bool');
  const message =
    rule && !('problem' in rule) && source.messageExpression
      ? prefixed(compiled(source.messageExpression, 'string', 'messageExpression must evaluate to a string'))
      : undefined;
  const { fieldPath = '' } = source;
  return {
    source,
    rule,
    message,
    fieldPath: fieldPath !== '' && isFieldPath(fieldPath, node) ? findField(fieldPath, node).path : '',
    maxOccurrences: Math.floor(MAX_REQUEST / (self.minSize + 1)),
  };
}

/** Problems of message expressions say so. */
function prefixed(expression: Expression | Rejected): Expression | Rejected {
  if (!('problem' in expression)) return expression;
  const { problem } = expression;
  if (problem.startsWith('compilation failed')) return { ...expression, problem: `messageExpression ${problem}` };
  return {
    ...expression,
    problem: problem.replace(/^program instantiation failed/, 'messageExpression instantiation failed'),
  };
}
