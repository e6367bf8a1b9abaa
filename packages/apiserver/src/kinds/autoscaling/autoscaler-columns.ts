import type { ApiObject, Json } from '../../objects/api-object.ts';
import type { PrinterColumn } from '../../registry/served-resource.ts';
import {
  ageColumn,
  column,
  type Fields,
  firstOf,
  listAt,
  nameColumn,
  numberColumn,
  textColumn,
  valueAt,
} from '../columns.ts';

export const autoscalerColumns: readonly PrinterColumn[] = [
  nameColumn,
  column('Reference', 'What it scales.', (object) => {
    const { kind = '', name = '' } = (valueAt(object, 'spec.scaleTargetRef') ?? {}) as Fields;
    return `${String(kind)}/${String(name)}`;
  }),
  column('Targets', 'Current and desired values of metrics.', metricTargets),
  textColumn('MinPods', 'The fewest Pods.', 'spec.minReplicas', '<unset>'),
  { ...numberColumn('MaxPods', 'The most Pods.', 'spec.maxReplicas'), type: 'string' },
  { ...numberColumn('Replicas', 'Pods that there are.', 'status.currentReplicas'), type: 'string' },
  ageColumn,
];

/** Where a metric keeps its target and current value, by type. */
const METRICS: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

function metricTargets(object: ApiObject): string {
  const current = listAt(object, 'status.currentMetrics');
  const shown = listAt(object, 'spec.metrics').map((metric, index) => metricTarget(metric, current[index]));
  return firstOf(shown, 2, ', ') || '<none>';
}

function metricTarget(metric: Fields, status: Fields | undefined): string {
  const place = METRICS[String(metric['type'])];
  if (place === undefined) return '<unknown type>';
  const source = (metric[place] ?? {}) as { name?: string; target?: Fields };
  const { current = {} } = (status?.[place] ?? {}) as { current?: Fields };
  const { averageValue, averageUtilization, value } = source.target ?? {};
  const isResource = source.name !== undefined;
  if (isResource && averageValue === undefined) {
    const percent = (amount: Json | undefined, otherwise: string) =>
      amount === undefined ? otherwise : `${String(amount)}%`;
    return `${source.name}: ${percent(current['averageUtilization'], '<unknown>')}/${percent(averageUtilization, '<auto>')}`;
  }
  if (averageValue === undefined) return `${String(current['value'] ?? '<unknown>')}/${String(value)}`;
  const average = `${String(current['averageValue'] ?? '<unknown>')}/${String(averageValue)}`;
  if (isResource) return `${source.name}: ${average}`;
  return place === 'pods' ? average : `${average} (avg)`;
}
