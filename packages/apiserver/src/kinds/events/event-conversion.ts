import type { ApiObject } from '../../objects/api-object.ts';
import { coreEvent, type Event } from '../core/event-type.ts';

/** Fields that `events.k8s.io` calls otherwise, in the order in which it shows them. */
const NAMES: readonly (readonly [own: string, core: string])[] = [
  ['eventTime', 'eventTime'],
  ['series', 'series'],
  ['reportingController', 'reportingComponent'],
  ['reportingInstance', 'reportingInstance'],
  ['action', 'action'],
  ['reason', 'reason'],
  ['regarding', 'involvedObject'],
  ['related', 'related'],
  ['note', 'message'],
  ['type', 'type'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

const ownNames = new Map(NAMES.map(([own, core]) => [core, own]));

/** An event of `events.k8s.io` in the words of the core group. Everything below the first level is shared. */
export function toCoreEvent({ kind, metadata, ...fields }: ApiObject): Event {
  const named = [...coreEvent.fields.keys()].flatMap((core) => {
    const content = fields[ownNames.get(core) ?? core];
    return content === undefined ? [] : [[core, content] as const];
  });
  return {
    kind,
    apiVersion: 'v1',
    metadata,
    // Go shows these also when they are empty, in the core form only.
    ...Object.fromEntries([['reportingComponent', ''], ['reportingInstance', ''], ...named]),
  };
}

/** An event of the core group in the words of `events.k8s.io`. Everything below the first level is shared. */
export function fromCoreEvent({ kind, metadata, ...fields }: ApiObject): ApiObject {
  const named = NAMES.flatMap(([own, core]) => {
    const content = fields[core];
    return content === undefined || content === '' ? [] : [[own, content] as const];
  });
  return { kind, apiVersion: 'events.k8s.io/v1', metadata, ...Object.fromEntries(named) };
}
