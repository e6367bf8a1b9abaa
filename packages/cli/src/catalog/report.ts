import type { Effect, FieldChange, Finding, JsonObject } from '@klutch/catalog';
import type { UnknownObject } from '@klutch/kube';
import type { Compared, Comparison } from './compare.ts';

/** What applying a catalogue would do, for people and programs. */
export interface Report {
  readonly objects: readonly ObjectReport[];
  /** Those to which something happens. */
  readonly instances: readonly InstanceReport[];
  /** How many instances stay as they are. */
  readonly unchanged: number;
}

export interface ObjectReport {
  /** `removed`: from the catalogue; it stays on the control plane. */
  readonly change: 'added' | 'changed' | 'removed';
  readonly kind: string;
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

export interface InstanceReport {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly tenant?: string;
  readonly clusterNamespace?: string;
  readonly findings: readonly Finding[];
  readonly changes: readonly FieldChange[];
}

/** Pure: a report of what was found. */
export function reportOf(comparison: Comparison, effects: readonly Effect[]): Report {
  const all = [
    ...comparison.definitions,
    ...comparison.compositions,
    ...comparison.templates,
    ...comparison.providerConfigs,
  ];
  const touched = effects.filter(({ findings }) => findings.length > 0);
  return {
    objects: [...all.flatMap(objectReport), ...comparison.leftover.map(leftoverReport)],
    instances: touched.map(instanceReport),
    unchanged: effects.length - touched.length,
  };
}

function objectReport({ desired, live, changes }: Compared): readonly ObjectReport[] {
  if (live && changes.length === 0) return [];
  return [{ change: live ? 'changed' : 'added', ...named(desired), fields: changes }];
}

function leftoverReport(object: UnknownObject): ObjectReport {
  return { change: 'removed', ...named(object), fields: [] };
}

function named({ kind, metadata: { namespace, name = '' } }: UnknownObject) {
  return { kind, name: namespace === undefined ? name : `${namespace}/${name}` };
}

function instanceReport({ instance: { claim, tenant }, findings, changes }: Effect): InstanceReport {
  const { name = '', namespace = '' } = claim['metadata'] as JsonObject;
  return {
    kind: String(claim['kind']),
    namespace: String(namespace),
    name: String(name),
    ...(tenant ? { tenant: tenant.name, clusterNamespace: tenant.clusterNamespace } : {}),
    findings,
    changes,
  };
}

/** Pure: the report in lines: objects, instances with one sentence for each thing that happens to them, and how many there are. */
export function reportLines({ objects, instances, unchanged }: Report): readonly string[] {
  return [
    ...objects.map(objectLine),
    ...(objects.every(({ change }) => change === 'removed') ? ['No object of the control plane changes.'] : []),
    ...(instances.length > 0 ? [''] : []),
    ...instances.flatMap((instance) => instance.findings.map((finding) => instanceLine(instance, finding))),
    '',
    countLine(instances, unchanged),
  ];
}

/** Pure: the instances that break, as lines. */
export function breakingLines({ instances }: Report): readonly string[] {
  return instances.flatMap((instance) =>
    instance.findings.filter(({ is }) => is === 'breaks').map((finding) => instanceLine(instance, finding)),
  );
}

function objectLine({ change, kind, name, fields }: ObjectReport): string {
  if (change === 'added') return `+ ${kind} ${name}`;
  if (change === 'removed')
    return `- ${kind} ${name}: It is no longer in the catalogue, and stays until you delete it with kubectl.`;
  return `~ ${kind} ${name}: ${fields.map(({ path }) => path).join(', ')}`;
}

function instanceLine(
  { kind, namespace, name, tenant, clusterNamespace }: InstanceReport,
  { is, sentence }: Finding,
): string {
  const whose = tenant === undefined ? 'of no tenant' : `of tenant ${tenant} (${clusterNamespace})`;
  return `${marks[is]} ${kind} ${namespace}/${name} ${whose}: ${sentence}`;
}

const marks: Readonly<Record<Finding['is'], string>> = { breaks: '!', changes: '~', stranded: '>', unknown: '?' };

const counted: readonly (readonly [Finding['is'], one: string, many: string])[] = [
  ['breaks', 'breaks', 'break'],
  ['changes', 'changes', 'change'],
  ['stranded', 'keeps what nobody else gets any more', 'keep what nobody else gets any more'],
  ['unknown', 'cannot be told', 'cannot be told'],
];

function countLine(instances: readonly InstanceReport[], unchanged: number): string {
  const parts = counted.flatMap(([is, one, many]) => {
    const count = instances.filter(({ findings }) => findings.some((finding) => finding.is === is)).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return `Instances: ${[...parts, `${unchanged} ${unchanged === 1 ? 'stays' : 'stay'} as ${unchanged === 1 ? 'it is' : 'they are'}`].join(', ')}.`;
}
