import type { Column, Condition, Field, Offer, PermissionClaim, Requirement } from '../catalogue.ts';
import type { TargetFile } from '../shape/composed.ts';
import type { OperationFile, ServiceFile } from '../shape/files.ts';
import type { ConditionFile, FieldFile, RequirementFile } from '../shape/offer.ts';
import { targetsOf } from './composed.ts';

/** What services and operations have in common. `backends` are those that have the offer. */
export function offerOf(file: ServiceFile | OperationFile, backends: readonly string[]): Offer {
  const { group = 'anynines.com', kind, plural = `${kind.toLowerCase()}s`, displayName, description } = file;
  return {
    group,
    kind,
    plural,
    displayName,
    description,
    ...(file.documentation === undefined ? {} : { documentation: file.documentation }),
    defaultBackend: file.defaultBackend ?? backends[0] ?? '',
    ...(file.deletePolicy === undefined ? {} : { deletePolicy: file.deletePolicy }),
    columns: Object.entries(file.columns ?? {}).map(columnOf),
    fields: fieldsOf(file.fields),
    requirements: Object.values(file.requires ?? {}).map(requirementOf),
    claims: Object.entries(file.permissionClaims ?? {}).map(permissionClaimOf),
  };
}

export function fieldsOf(files: Readonly<Record<string, FieldFile>> = {}): readonly Field[] {
  return Object.entries(files).map(([name, file]) => {
    const { schema, required = false, immutable = false, note, ...targets } = file;
    return {
      name,
      schema,
      required,
      immutable,
      targets: Object.fromEntries(
        Object.entries(targets).map(([backend, target]) => [backend, targetsOf(target as TargetFile)]),
      ),
      ...(note === undefined ? {} : { note }),
    };
  });
}

function requirementOf({ when = [], then, message }: RequirementFile): Requirement {
  return { when: when.map(conditionOf), then: then.map(conditionOf), message };
}

function conditionOf(file: ConditionFile): Condition {
  if ('backend' in file) return { is: 'backend', in: file.backend };
  if ('version' in file) return { is: 'version', in: file.version };
  if ('plan' in file) return { is: 'plan', in: file.plan };
  if ('trait' in file) return { is: 'trait', trait: file.trait, in: file.in };
  if ('set' in file) return { is: 'set', field: file.set };
  return { is: 'field', field: file.field, in: file.in };
}

type Entries<T> = readonly [string, T];

function columnOf([name, { type = 'string', jsonPath }]: Entries<NonNullable<ServiceFile['columns']>[string]>): Column {
  return { name, type, jsonPath };
}

function permissionClaimOf([name, { version = 'v1', owner = 'Provider' }]: Entries<
  NonNullable<ServiceFile['permissionClaims']>[string]
>): PermissionClaim {
  const [resource = '', ...group] = name.split('.');
  return { group: group.join('.'), resource, version, owner };
}
