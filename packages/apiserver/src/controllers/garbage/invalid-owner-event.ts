import { createHash } from 'node:crypto';
import type { ApiObject, OwnerReference } from '../../objects/api-object.ts';
import { kubeTime } from '../../operations/kube-time.ts';

const COMPONENT = 'garbage-collector-controller';

/**
 * Pure: the Event that tells users of an object that it names an owner in a namespace where that cannot be its owner. Its
 * name follows from the two objects, so that it is written once.
 */
export function invalidOwnerEvent(
  object: ApiObject,
  { apiVersion, kind, name, uid }: OwnerReference,
  now: Date,
): ApiObject {
  const { metadata } = object;
  const { namespace } = metadata;
  const owner = `[${apiVersion}/${kind}, namespace: ${namespace ?? ''}, name: ${name}, uid: ${uid}]`;
  const suffix = createHash('sha256').update(`${metadata.uid} ${uid}`).digest('hex').slice(0, 16);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${metadata.name}.${suffix}`, namespace: namespace ?? 'default' },
    involvedObject: {
      kind: object.kind,
      ...(namespace === undefined ? {} : { namespace }),
      name: metadata.name,
      uid: metadata.uid,
      apiVersion: object.apiVersion,
    },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${owner} does not exist in namespace "${namespace ?? ''}"`,
    source: { component: COMPONENT },
    firstTimestamp: kubeTime(now),
    lastTimestamp: kubeTime(now),
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: COMPONENT,
    reportingInstance: '',
  };
}
