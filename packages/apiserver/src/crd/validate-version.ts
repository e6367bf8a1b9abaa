import { buildNode, FieldPathError, findField, type JsonSchema } from '@klutch/cel';
import { checkCrdSchema } from '../schema/index.ts';
import { duplicate, invalid, required, tooMany } from '../schema/fields/field-error.ts';
import type { PrinterColumn, ScalePaths } from '../registry/served-resource.ts';
import type { FieldCause } from '../status/status-error.ts';
import type { CrdVersion } from './crd.ts';
import type { VersionContent } from './hub-spec.ts';

/** Where the parts of a version are in the errors of Kubernetes, and what else decides about them. */
export interface ContentContext {
  /** Path of the schema without its last part. */
  readonly schemaField: string;
  readonly field: string;
  readonly hasStatus: boolean;
  /** Whether the schema was accepted before. */
  readonly isUnchanged: boolean;
}

/** Pure: what is wrong with the schema, subresources, columns and selectable fields of a version, or of all of them. */
export function contentProblems(content: VersionContent, context: ContentContext): readonly FieldCause[] {
  const { field, schemaField, hasStatus, isUnchanged } = context;
  const schema = content.schema?.openAPIV3Schema;
  const schemaPath = `${schemaField}.openAPIV3Schema`;
  return [
    ...(schema ? checkCrdSchema(schema, { path: schemaPath, hasStatus, isUnchanged }) : []),
    ...scaleProblems(content.subresources?.scale, `${field}.subresources.scale`),
    ...(content.additionalPrinterColumns ?? []).flatMap((column, index) =>
      columnProblems(column, `${field}.additionalPrinterColumns[${index}]`),
    ),
    ...(schema ? selectableProblems(content.selectableFields ?? [], schema, `${field}.selectableFields`) : []),
  ];
}

const maxWarningLength = 256;

/** Pure: what is wrong with the warning that clients of a deprecated version get. */
export function deprecationProblems({ deprecated, deprecationWarning: text }: CrdVersion): readonly string[] {
  if (text === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const unprintable = text.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  const printable = 'must only contain printable UTF-8 characters; non-printable character found at index';
  return [
    ...(Buffer.byteLength(text) > maxWarningLength ? [`must be <= ${maxWarningLength} characters long`] : []),
    ...(text === '' ? ['must not be an empty string'] : []),
    ...(unprintable === -1 ? [] : [`${printable} ${unprintable}`]),
  ];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnProblems(column: Partial<PrinterColumn>, field: string): readonly FieldCause[] {
  const { name, type, format, jsonPath } = column;
  const oneOf = `must be one of ${columnTypes.join(',')}`;
  return [
    ...(name ? [] : [required(`${field}.name`)]),
    ...(type ? [] : [required(`${field}.type`, oneOf)]),
    ...(type && !columnTypes.includes(type) ? [invalid(`${field}.type`, type, oneOf)] : []),
    ...(format && !columnFormats.includes(format)
      ? [invalid(`${field}.format`, format, `must be one of ${columnFormats.join(',')}`)]
      : []),
    ...(jsonPath ? pathProblems(jsonPath, `${field}.JSONPath`) : [required(`${field}.JSONPath`)]),
  ];
}

function pathProblems(path: string, field: string): readonly FieldCause[] {
  return path.startsWith('.') ? [] : [invalid(field, path, 'must be a simple json path starting with .')];
}

function scaleProblems(scale: Partial<ScalePaths> | undefined, field: string): readonly FieldCause[] {
  if (!scale) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const under = (key: string, path: string | undefined, roots: readonly string[], words: string) => {
    if (!path) return [required(`${field}.${key}`)];
    const malformed = pathProblems(path, `${field}.${key}`);
    if (malformed.length > 0 || roots.some((root) => path.startsWith(`${root}.`))) return malformed;
    return [invalid(`${field}.${key}`, path, `should be a json path under ${words}`)];
  };
  return [
    ...under('specReplicasPath', specReplicasPath, ['.spec'], '.spec'),
    ...under('statusReplicasPath', statusReplicasPath, ['.status'], '.status'),
    ...(labelSelectorPath
      ? under('labelSelectorPath', labelSelectorPath, ['.spec', '.status'], 'either .spec or .status')
      : []),
  ];
}

const maxSelectableFields = 8;
const selectableTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'integer']);

function selectableProblems(
  fields: readonly { readonly jsonPath?: string }[],
  schema: JsonSchema,
  field: string,
): readonly FieldCause[] {
  const root = buildNode(schema);
  const seen = new Set<string>();
  const causes = fields.flatMap(({ jsonPath = '' }, index) => {
    const at = `${field}[${index}].jsonPath`;
    if (jsonPath === '') return [required(at)];
    try {
      const { path, node } = findField(jsonPath, root, false);
      const isRepeated = seen.has(path);
      seen.add(path);
      const wrongType =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      return [
        ...(/^metadata\b/.test(path) ? [invalid(at, jsonPath, 'must not point to fields in metadata')] : []),
        ...(selectableTypes.has(node.type) ? [] : [invalid(at, jsonPath, wrongType)]),
        ...(isRepeated ? [duplicate(at, jsonPath)] : []),
      ];
    } catch (error) {
      if (!(error instanceof FieldPathError)) throw error;
      return [invalid(at, jsonPath, `is an invalid path: ${error.message}`)];
    }
  });
  return seen.size > maxSelectableFields ? [...causes, tooMany(field, seen.size, maxSelectableFields)] : causes;
}
