import type { ApiObject } from '../../objects/api-object.ts';
import { publishedStruct } from '../published/published-struct.ts';

/** The fields of events of the core group. */
export const coreEvent = publishedStruct('io.k8s.api.core.v1.Event');

export interface Event extends ApiObject {
  involvedObject?: Partial<
    Record<'kind' | 'namespace' | 'name' | 'uid' | 'apiVersion' | 'resourceVersion' | 'fieldPath', string>
  >;
  reason?: string;
  message?: string;
  source?: { component?: string; host?: string };
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  type?: string;
  eventTime?: string | null;
  series?: { count?: number; lastObservedTime?: string | null };
  action?: string;
  related?: object;
  reportingComponent?: string;
  reportingInstance?: string;
}
