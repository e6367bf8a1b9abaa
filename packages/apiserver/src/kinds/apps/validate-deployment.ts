import { isDeepStrictEqual } from 'node:util';
import { selectorCauses } from '../../authz/label-selector-causes.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/fields/field-error.ts';
import { child } from '../../schema/fields/field-path.ts';
import { labelSelectorFrom, type LabelSelectorObject } from '../../select/index.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { podSpecCauses } from '../pod/validate-pod-spec.ts';
import { invalidStruct, unsupportedStruct } from '../struct-error.ts';
import type { Deployment, DeploymentSpec } from './deployments.ts';

/** What is wrong with a deployment. */
export function deploymentCauses({ spec }: Deployment): readonly FieldCause[] {
  const { replicas = 0, selector, minReadySeconds = 0, revisionHistoryLimit = 0, progressDeadlineSeconds } = spec;
  const selecting = selector ? selectorProblems(selector) : [required('spec.selector')];
  const isUsable = !selector || selectorCauses(selector, 'spec.selector').length === 0;
  return [
    ...atLeastZero('spec.replicas', replicas),
    ...selecting,
    ...(isUsable
      ? templateCauses(spec)
      : [invalidStruct('spec.selector', inOrder(selector), 'invalid label selector')]),
    ...strategyCauses(spec.strategy),
    ...atLeastZero('spec.minReadySeconds', minReadySeconds),
    ...atLeastZero('spec.revisionHistoryLimit', revisionHistoryLimit),
    ...deadlineCauses(progressDeadlineSeconds, minReadySeconds),
  ];
}

/** What a change may not do, besides. */
export function deploymentUpdateCauses(object: Deployment, old: Deployment): readonly FieldCause[] {
  const { selector } = object.spec;
  const isSame = isDeepStrictEqual(selector, old.spec.selector);
  return [
    ...deploymentCauses(object),
    ...(isSame ? [] : [invalidStruct('spec.selector', inOrder(selector), 'field is immutable')]),
    ...(isDeepStrictEqual(object.status, old.status) ? [] : statusCauses(object.status ?? {})),
  ];
}

/** The selector as Go shows it: fields in the order of the struct. */
function inOrder(selector: DeploymentSpec['selector']): object | null {
  if (!selector) return null;
  const { matchLabels, matchExpressions } = selector;
  return { matchLabels, matchExpressions };
}

function selectorProblems(selector: LabelSelectorObject): readonly FieldCause[] {
  const isEmpty = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
  return [
    ...selectorCauses(selector, 'spec.selector'),
    ...(isEmpty ? [invalidStruct('spec.selector', inOrder(selector), 'empty selector is invalid for deployment')] : []),
  ];
}

function templateCauses({ selector, template }: DeploymentSpec): readonly FieldCause[] {
  const field = 'spec.template';
  const labels = template.metadata.labels;
  const selected = labelSelectorFrom(selector ?? undefined);
  const { restartPolicy, activeDeadlineSeconds } = template.spec;
  return [
    ...(selected.isEmpty || selected.matches(labels ?? {})
      ? []
      : [invalid(child(field, 'metadata.labels'), labels ?? null, '`selector` does not match template `labels`')]),
    ...podSpecCauses(template.spec, child(field, 'spec')),
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(child(field, 'spec.restartPolicy'), restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(child(field, 'spec.activeDeadlineSeconds'), 'activeDeadlineSeconds in ReplicaSet is not Supported'),
        ]),
  ];
}

function strategyCauses({ type, rollingUpdate }: DeploymentSpec['strategy']): readonly FieldCause[] {
  const field = 'spec.strategy';
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return [];
    return [forbidden(child(field, 'rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")];
  }
  if (type !== 'RollingUpdate') {
    // Kubernetes shows its inner form of the strategy here.
    const shown = { Type: type, RollingUpdate: rollingUpdate ?? null };
    return [unsupportedStruct(field, shown, ['Recreate', 'RollingUpdate'])];
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
  const unavailable = child(field, 'rollingUpdate.maxUnavailable');
  return [
    ...amountCauses(unavailable, maxUnavailable),
    ...amountCauses(child(field, 'rollingUpdate.maxSurge'), maxSurge),
    ...(amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0
      ? [invalid(unavailable, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...(isPercent(maxUnavailable) && amountOf(maxUnavailable) > 100
      ? [invalid(unavailable, maxUnavailable, 'must not be greater than 100%')]
      : []),
  ];
}

const COUNTS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
] as const;

function statusCauses(status: NonNullable<Deployment['status']>): readonly FieldCause[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const tooMany = (['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const).filter(
    (name) => (status[name] ?? 0) > replicas,
  );
  return [
    ...COUNTS.flatMap((name) => atLeastZero(child('status', name), status[name] ?? 0)),
    ...tooMany.map((name) => invalid(child('status', name), status[name], 'cannot be greater than status.replicas')),
    ...(availableReplicas > readyReplicas
      ? [invalid('status.availableReplicas', availableReplicas, 'cannot be greater than readyReplicas')]
      : []),
  ];
}

const PERCENT_PROBLEM =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function amountCauses(field: string, amount: string | number): readonly FieldCause[] {
  if (typeof amount === 'number') return atLeastZero(field, amount);
  return isPercent(amount) ? [] : [invalid(field, amount, PERCENT_PROBLEM)];
}

function isPercent(amount: string | number): boolean {
  return /^[0-9]+%$/.test(String(amount));
}

function amountOf(amount: string | number): number {
  return Number.parseInt(String(amount), 10) || 0;
}

function deadlineCauses(seconds: number | undefined, minReadySeconds: number): readonly FieldCause[] {
  if (seconds === undefined) return [];
  const field = 'spec.progressDeadlineSeconds';
  return [
    ...atLeastZero(field, seconds),
    ...(seconds > minReadySeconds ? [] : [invalid(field, seconds, 'must be greater than minReadySeconds')]),
  ];
}

function atLeastZero(field: string, value: number): readonly FieldCause[] {
  return value >= 0 ? [] : [invalid(field, value, 'must be greater than or equal to 0')];
}
