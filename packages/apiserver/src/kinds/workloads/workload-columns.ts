import type { ApiObject } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import { labelSelectorFrom, type LabelSelectorObject } from '../../select/index.ts';
import { ageSince, humanDuration } from '../../table/duration.ts';
import { ageColumn, column, nameColumn, numberColumn, textColumn, valueAt, wide } from '../columns.ts';

/** What the containers of a Pod template are. @param path of the template */
export function containerColumns(path: string): readonly PrinterColumn[] {
  const each = (field: 'name' | 'image') => (object: ApiObject) => {
    const containers = (valueAt(object, `${path}.spec.containers`) ?? []) as { name?: string; image?: string }[];
    return containers.map((container) => container[field] ?? '').join(',');
  };
  return [
    column('Containers', 'Names of the containers.', each('name')),
    column('Images', 'Images of the containers.', each('image')),
  ];
}

/** Labels as `a=b,c=d`. */
export function labelsAt(path: string): (object: ApiObject) => string {
  return (object) => {
    const labels = (valueAt(object, path) ?? {}) as Record<string, string>;
    const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    return pairs.sort().join(',') || '<none>';
  };
}

function selectorColumn(path: string): PrinterColumn {
  return column('Selector', 'Pods that belong to it.', (object) => {
    const selector = valueAt(object, path) as LabelSelectorObject | null | undefined;
    return selector ? labelSelectorFrom(selector).toString() : '<none>';
  });
}

const templateColumns = containerColumns('spec.template').map(wide);

const replicaColumns: readonly PrinterColumn[] = [
  nameColumn,
  numberColumn('Desired', 'Pods that there should be.', 'spec.replicas'),
  numberColumn('Current', 'Pods that there are.', 'status.replicas'),
  numberColumn('Ready', 'Pods that are ready.', 'status.readyReplicas'),
  ageColumn,
  ...templateColumns,
];

/** Conditions that decide how a Job is said to be, the strongest first. A deletion comes in between. */
const JOB_STATES: readonly (readonly [condition: string, shown: string])[] = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

function jobState(object: ApiObject): string {
  const conditions = (valueAt(object, 'status.conditions') ?? []) as { type: string; status: string }[];
  const isSo = (type: string) =>
    type === ''
      ? object.metadata.deletionTimestamp !== undefined
      : conditions.some((one) => one.type === type && one.status === 'True');
  return JOB_STATES.find(([condition]) => isSo(condition))?.[1] ?? 'Running';
}

function jobCompletions(object: ApiObject): string {
  const done = Number(valueAt(object, 'status.succeeded') ?? 0);
  const desired = valueAt(object, 'spec.completions');
  if (typeof desired === 'number') return `${done}/${desired}`;
  const parallelism = Number(valueAt(object, 'spec.parallelism') ?? 0);
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function jobDuration(object: ApiObject, now: Date): string {
  const start = valueAt(object, 'status.startTime');
  if (typeof start !== 'string') return '';
  const end = valueAt(object, 'status.completionTime');
  return humanDuration((typeof end === 'string' ? Date.parse(end) : now.getTime()) - Date.parse(start));
}

function suspended(object: ApiObject): string {
  const value = valueAt(object, 'spec.suspend');
  if (typeof value !== 'boolean') return '<unset>';
  return value ? 'True' : 'False';
}

function lastSchedule(object: ApiObject, now: Date): string {
  const time = valueAt(object, 'status.lastScheduleTime');
  return typeof time === 'string' ? ageSince(time, now) : '<none>';
}

/** Columns of kinds that make Pods elsewhere, by resource. */
export const workloadColumns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  replicationcontrollers: [
    ...replicaColumns,
    wide(column('Selector', 'Pods that belong to it.', labelsAt('spec.selector'))),
  ],
  replicasets: [...replicaColumns, wide(selectorColumn('spec.selector'))],
  statefulsets: [
    nameColumn,
    column('Ready', 'Pods that are ready, of those desired.', (object) => {
      const [ready, desired] = ['status.readyReplicas', 'spec.replicas'].map((path) => valueAt(object, path) ?? 0);
      return `${String(ready)}/${String(desired)}`;
    }),
    ageColumn,
    ...templateColumns,
  ],
  daemonsets: [
    nameColumn,
    numberColumn('Desired', 'Nodes that should run a Pod.', 'status.desiredNumberScheduled'),
    numberColumn('Current', 'Nodes that run a Pod.', 'status.currentNumberScheduled'),
    numberColumn('Ready', 'Nodes whose Pod is ready.', 'status.numberReady'),
    numberColumn('Up-to-date', 'Nodes whose Pod is made from the current template.', 'status.updatedNumberScheduled'),
    numberColumn('Available', 'Nodes whose Pod has been ready long enough.', 'status.numberAvailable'),
    column('Node Selector', 'Nodes that should run a Pod.', labelsAt('spec.template.spec.nodeSelector')),
    ageColumn,
    ...templateColumns,
    wide(selectorColumn('spec.selector')),
  ],
  jobs: [
    nameColumn,
    column('Status', 'How it is.', jobState),
    column('Completions', 'Pods that succeeded, of those desired.', jobCompletions),
    column('Duration', 'How long it has been running, or ran.', jobDuration),
    ageColumn,
    ...templateColumns,
    wide(selectorColumn('spec.selector')),
  ],
  cronjobs: [
    nameColumn,
    textColumn('Schedule', 'When it runs.', 'spec.schedule'),
    textColumn('Timezone', 'Time zone of the schedule.', 'spec.timeZone', '<none>'),
    { ...column('Suspend', 'Whether it is suspended.', suspended), type: 'boolean' },
    {
      ...column(
        'Active',
        'Jobs that are running.',
        (object) => ((valueAt(object, 'status.active') ?? []) as unknown[]).length,
      ),
      type: 'integer',
    },
    column('Last Schedule', 'How long ago it last ran.', lastSchedule),
    ageColumn,
    ...containerColumns('spec.jobTemplate.spec.template').map(wide),
    wide(selectorColumn('spec.jobTemplate.spec.selector')),
  ],
};
