import { type CoreEvent, Events } from '../objects/core.ts';
import type { KubeObject } from '../objects/meta.ts';
import { apiVersionOf } from '../objects/resource-type.ts';
import { cutText } from './cut-text.ts';

/** What happened to an object. */
export interface EventNote {
  /** `Warning` when somebody should do something about it. */
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, for machines. */
  readonly reason: string;
  /** A sentence for people; cut at 1024 bytes. */
  readonly message: string;
}

/** Who reports. */
export interface EventSource {
  /** Such as `klutch-konnector`; a qualified name. */
  readonly component: string;
  /** The process among several of the component, such as the name of its pod. */
  readonly instance?: string;
}

/** The Event for a note, as it is created for the first time. `unique` tells apart events of the same millisecond. */
export function composeEvent(
  object: KubeObject,
  note: EventNote,
  source: EventSource,
  date: Date,
  unique: number,
): CoreEvent {
  const { name = '', namespace, uid, resourceVersion } = object.metadata;
  const time = timestamp(date);
  return {
    apiVersion: apiVersionOf(Events),
    kind: Events.kind,
    metadata: { name: eventName(name, date, unique), namespace: namespace || namespaceOfClusterEvents },
    involvedObject: { apiVersion: object.apiVersion, kind: object.kind, name, namespace, uid, resourceVersion },
    type: note.type,
    reason: note.reason,
    message: cutText(note.message, longestMessage),
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: source.component, host: source.instance },
    reportingComponent: source.component,
    reportingInstance: source.instance,
  };
}

/** Names the object, whatever its version. */
export function subjectOf({ involvedObject: { apiVersion, kind, namespace, name, uid } }: CoreEvent): string {
  return [apiVersion, kind, namespace, name, uid].join('\n');
}

/** Two events with the same identity are one event that happened twice. */
export function identityOf(event: CoreEvent): string {
  return [subjectOf(event), event.type, event.reason, event.message].join('\n');
}

/** RFC 3339 to the second, as Kubernetes writes times. */
function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const longestMessage = 1024;
const namespaceOfClusterEvents = 'default';
const longestName = 253;

function eventName(objectName: string, date: Date, unique: number): string {
  const nanoseconds = BigInt(date.getTime()) * 1_000_000n + BigInt(unique % 1_000_000);
  const suffix = `.${nanoseconds.toString(16)}`;
  // Some kinds allow names that Events do not, such as `system:node`.
  const allowed = objectName.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
  const stem = allowed.slice(0, longestName - suffix.length).replaceAll(/^[.-]+|[.-]+$/g, '');
  return `${stem || 'event'}${suffix}`;
}
