import {
  annotations,
  type APIServiceBinding,
  APIServiceBindingReason as Reason,
  type ConditionState,
  ConditionType,
  type CustomResourceDefinition,
  falseCondition,
  trueCondition,
} from '@klutch/api';
import type { KubeError } from '@klutch/kube';
import { orphanPolicyOf } from './bound-api-of.ts';
import { describeFindings, type Finding, verdictOf } from './compare/finding.ts';
import { unbindPolicyOf } from './crd-marks.ts';
import { isEstablished } from './established.ts';

/** The conditions of a binding that are about its CRD; null for one that has nothing to say. */
export interface SchemaConditions {
  readonly Connected: ConditionState;
  readonly SchemaInSync: ConditionState | null;
  readonly SchemaCompatible: ConditionState | null;
}

/** The binding cannot work; the one condition that says why is enough. */
export function disconnected(reason: string, message: string): SchemaConditions {
  return {
    Connected: falseCondition(ConditionType.Connected, 'Error', reason, message),
    SchemaInSync: null,
    SchemaCompatible: null,
  };
}

export function exportNotFound(name: string): SchemaConditions {
  return disconnected(
    Reason.APIServiceExportNotFound,
    `The control plane has no APIServiceExport ${name}. Objects can still be deleted; bind again or ask the provider.`,
  );
}

/** What users read wherever the end of an entitlement shows. */
export function whyWithdrawn(api: string): string {
  return (
    `The provider no longer offers ${api} to this tenant. All data is kept on the control plane, but no change is carried over in ` +
    `either direction, deletions included. Ask the operator of the control plane; once it is offered again, everything goes on by itself.`
  );
}

export function withdrawn(why: string): ConditionState {
  return falseCondition(ConditionType.Connected, 'Error', Reason.EntitlementWithdrawn, why);
}

export function exportInvalid(message: string): SchemaConditions {
  return disconnected(Reason.APIServiceExportInvalid, message);
}

export function foreign(crd: CustomResourceDefinition, tenant: string): SchemaConditions {
  return disconnected(
    Reason.ForeignCustomResourceDefinition,
    `CustomResourceDefinition ${crd.metadata.name} was not made for this binding, so it and its objects are left alone. ` +
      `Delete it if nothing uses it, or let this binding take it over: remove its owner and annotate it with ${annotations.released}: ${tenant}.`,
  );
}

/** The konnector lacks a right without which nothing is known of the CRD. */
export function forbidden(name: string, error: KubeError): SchemaConditions {
  return disconnected(Reason.CustomResourceDefinitionForbidden, missingRight(name, error));
}

/** The konnector lacks a right, but works with the CRD as it last saw it. */
export function unwatched(name: string, error: KubeError): ConditionState {
  const { SchemaInSync: type } = ConditionType;
  return falseCondition(type, 'Warning', Reason.CustomResourceDefinitionForbidden, missingRight(name, error));
}

function missingRight(name: string, { verb = 'get' }: KubeError): string {
  return (
    `The konnector may not ${verb} CustomResourceDefinition ${name} in the app cluster. Give its ClusterRole the verb "${verb}" ` +
    'on customresourcedefinitions of API group apiextensions.k8s.io; `klutch upgrade` renews all its rights.'
  );
}

/** The app cluster does not accept the CRD. */
export function refused(verb: 'create' | 'replace', name: string, why: string): SchemaConditions {
  const create = verb === 'create';
  return disconnected(
    create ? Reason.CustomResourceDefinitionCreateFailed : Reason.CustomResourceDefinitionUpdateFailed,
    `The app cluster refuses to ${create ? 'create' : 'change'} CustomResourceDefinition ${name}: ${why}`,
  );
}

/** After the change that is held back, the two sides serve nothing they have in common. */
export function nothingInCommon(name: string): ConditionState {
  return falseCondition(
    ConditionType.Connected,
    'Error',
    Reason.APIServiceExportInvalid,
    `App cluster and control plane serve no version of ${name} in common, so no object is copied. Accept the new schema, or ask the provider to serve the old version again.`,
  );
}

export function terminating(binding: APIServiceBinding, { metadata }: CustomResourceDefinition): SchemaConditions {
  return {
    Connected: connected(binding),
    SchemaInSync: falseCondition(
      ConditionType.SchemaInSync,
      'Warning',
      Reason.CustomResourceDefinitionNotEstablished,
      `CustomResourceDefinition ${metadata.name} is being deleted. It will be created again once it is gone.`,
    ),
    SchemaCompatible: null,
  };
}

/** The CRD has the exported API; `said` is what was last said of the change that brought it there. */
export function inSync(
  binding: APIServiceBinding,
  crd: CustomResourceDefinition,
  compatible: ConditionState,
): SchemaConditions {
  return {
    Connected: connected(binding),
    SchemaInSync: isEstablished(crd) ? trueCondition(ConditionType.SchemaInSync) : notEstablished(crd),
    SchemaCompatible: compatible,
  };
}

function notEstablished(crd: CustomResourceDefinition): ConditionState {
  const conflict = crd.status?.conditions?.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  return falseCondition(
    ConditionType.SchemaInSync,
    conflict ? 'Error' : 'Info',
    Reason.CustomResourceDefinitionNotEstablished,
    conflict
      ? `CustomResourceDefinition ${crd.metadata.name} is not served: ${conflict.message ?? 'its names are taken'}.`
      : `CustomResourceDefinition ${crd.metadata.name} is not served yet.`,
  );
}

/** A change waits until somebody accepts it. */
export function held(binding: APIServiceBinding, change: readonly Finding[], digest: string): SchemaConditions {
  const accept = `annotate the binding with ${annotations.acceptSchema}: ${digest}`;
  return {
    Connected: connected(binding),
    SchemaInSync: falseCondition(
      ConditionType.SchemaInSync,
      'Warning',
      Reason.BreakingSchemaChange,
      `The schema of the provider could harm objects that exist, so the previous one stays in use. To take it over, ${accept}.`,
    ),
    SchemaCompatible: falseCondition(
      ConditionType.SchemaCompatible,
      'Warning',
      Reason.BreakingSchemaChange,
      `The new schema is held back: ${describeFindings(change)}. To take it over all the same, ${accept}.`,
    ),
  };
}

/**
 * What to say of a change that is taken over. When there is none, what was said of the one before stands as long as it
 * is about the schema that is in use.
 */
export function takenOver(
  change: readonly Finding[],
  digest: string,
  said: ConditionState | undefined,
): ConditionState {
  if (change.length === 0) {
    const stands = said?.reason === Reason.SchemaChangeNeedsCare && said.message?.includes(digest);
    return said && stands ? said : trueCondition(ConditionType.SchemaCompatible);
  }
  const how = verdictOf(change) === 'breaking' ? 'was accepted' : 'needs care';
  return {
    type: ConditionType.SchemaCompatible,
    status: 'True',
    reason: Reason.SchemaChangeNeedsCare,
    message: `The change to schema ${digest} ${how}: ${describeFindings(change)}.`,
  };
}

function connected(binding: APIServiceBinding): ConditionState {
  const said = binding.metadata.annotations ?? {};
  const notes = [
    ...(orphanPolicyOf(binding) ? [] : [unknownValue(annotations.orphans, said, 'Hold, Delete or Restore', 'Hold')]),
    ...(unbindPolicyOf(said[annotations.onUnbind])
      ? []
      : [unknownValue(annotations.onUnbind, said, 'Keep, Remove or Delete', 'Keep')]),
  ];
  const holds = trueCondition(ConditionType.Connected);
  return notes.length > 0 ? { ...holds, message: notes.join(' ') } : holds;
}

function unknownValue(key: string, said: Readonly<Record<string, string>>, choices: string, fallback: string): string {
  return `Annotation ${key} is ${JSON.stringify(said[key])} but must be ${choices}; until then ${fallback} applies.`;
}
