import { CostLedger, type JsonSchema, RulePlace } from '@klutch/cel';
import type { FieldCause } from '../status/status-error.ts';
import { defaultProblems } from './crd/check-defaults.ts';
import { openApiProblems } from './crd/check-openapi.ts';
import { ruleProblemCause } from './crd/check-rules.ts';
import { internalSchema } from './crd/internal-form.ts';
import { type RawSchema, unreadable } from './crd/raw-schema.ts';
import { forbidden, invalid } from './fields/field-error.ts';
import { structuralProblems } from './structural/check-structural.ts';

/** What a check of the schema of a CustomResourceDefinition must know besides the schema. */
export interface CrdSchemaContext {
  /** Where the schema stands: `spec.validation.openAPIV3Schema`, or `spec.versions[0].schema.openAPIV3Schema`. */
  readonly path: string;
  /** Whether the version has the status subresource, which limits what the root may say. Default false. */
  readonly hasStatus?: boolean;
  /** Whether the same schema is in use already: then costs of single rules are not held against it. Default false. */
  readonly isUnchanged?: boolean;
}

/** Everything wrong with a schema of a CustomResourceDefinition, as Kubernetes would report it. */
export function checkCrdSchema(schema: JsonSchema, context: CrdSchemaContext): FieldCause[] {
  const { path, hasStatus = false, isUnchanged = false } = context;
  const notReadable = unreadable(schema);
  const structure = notReadable === undefined ? structureProblems(schema, path) : [];
  const areRulesDue = notReadable === undefined && structure.length === 0;
  const ledger = new CostLedger(!isUnchanged);
  const found = openApiProblems(
    schema,
    {
      path,
      isRoot: true,
      isInMeta: false,
      noDefaults: undefined,
      rulePlace: areRulesDue ? RulePlace.ofRoot(schema, path) : undefined,
    },
    ledger,
  );
  const problems = [
    ...(hasStatus ? rootProblems(schema, path) : []),
    ...nullableProblems(schema, path),
    ...structure,
    ...found.schema,
    ...found.rules,
  ];
  if (problems.length === 0 && notReadable !== undefined) return [invalid(path, '', notReadable)];
  return [...problems, ...ledger.verdict(path).map(ruleProblemCause)];
}

/** Defaults are looked at only in a schema that is structural. */
function structureProblems(schema: JsonSchema, path: string): FieldCause[] {
  const problems = structuralProblems(schema, path);
  return problems.length > 0 ? problems : defaultProblems(schema, path);
}

function nullableProblems({ nullable }: JsonSchema, path: string): FieldCause[] {
  return nullable ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : [];
}

/** With a status of its own, the schema is taken apart at the root; what stands there must not get lost. */
const ROOT_FIELDS: readonly (readonly [go: string, json: keyof RawSchema])[] = [
  ['Description', 'description'],
  ['Type', 'type'],
  ['Format', 'format'],
  ['Title', 'title'],
  ['Maximum', 'maximum'],
  ['ExclusiveMaximum', 'exclusiveMaximum'],
  ['Minimum', 'minimum'],
  ['ExclusiveMinimum', 'exclusiveMinimum'],
  ['MaxLength', 'maxLength'],
  ['MinLength', 'minLength'],
  ['Pattern', 'pattern'],
  ['MaxItems', 'maxItems'],
  ['MinItems', 'minItems'],
  ['UniqueItems', 'uniqueItems'],
  ['MultipleOf', 'multipleOf'],
  ['Required', 'required'],
  ['Items', 'items'],
  ['Properties', 'properties'],
  ['ExternalDocs', 'externalDocs'],
  ['Example', 'example'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields'],
  ['XValidations', 'x-kubernetes-validations'],
];

function rootProblems(schema: JsonSchema, path: string): FieldCause[] {
  const { type = '' } = schema;
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, type, detail)];
  }
  const allowed = new Set<string>(ROOT_FIELDS.map(([, json]) => json));
  const stray = Object.entries(schema).some(([name, value]) => !allowed.has(name) && isSet(value));
  if (!stray) return [];
  const names = ROOT_FIELDS.map(([go]) => go).join(' ');
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, internalSchema(schema), detail)];
}

/** Empty lists and objects are there, too. */
const isSet = (value: unknown) => value !== undefined && value !== null && value !== false && value !== '';
