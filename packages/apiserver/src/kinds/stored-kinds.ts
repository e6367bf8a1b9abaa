import type { ApiObject } from '../objects/api-object.ts';
import type { ServedResource, Strategy } from '../registry/served-resource.ts';
import { defineKind } from './define-kind.ts';
import { storedColumns } from './stored-columns.ts';

/** Volumes and claims wait for what binds them to each other. */
function prepareVolume(object: ApiObject): void {
  object['status'] = { phase: 'Pending' };
}

/** What Kubernetes does not publish about kinds that are only stored; kinds without an entry are like most. */
const STRATEGIES: Readonly<Record<string, Partial<Strategy>>> = {
  limitranges: { createOnUpdate: true },
  persistentvolumeclaims: { returnsDeleted: true, prepareCreate: prepareVolume },
  persistentvolumes: { returnsDeleted: true, prepareCreate: prepareVolume },
  podtemplates: { tracksGeneration: true, returnsDeleted: true },
  endpointslices: { tracksGeneration: true },
  ingressclasses: { tracksGeneration: true },
  ingresses: { tracksGeneration: true },
  runtimeclasses: { createOnUpdate: true, unconditionalUpdate: false },
  poddisruptionbudgets: { tracksGeneration: true, unconditionalUpdate: false },
  priorityclasses: { tracksGeneration: true },
  csidrivers: { unconditionalUpdate: false, returnsDeleted: true },
  csinodes: { unconditionalUpdate: false, returnsDeleted: true },
  csistoragecapacities: { unconditionalUpdate: false },
  storageclasses: { returnsDeleted: true },
  volumeattachments: { unconditionalUpdate: false, returnsDeleted: true },
  volumeattributesclasses: { returnsDeleted: true },
};

/** A kind of which objects are stored as they come, if their fields have the right types. */
export function storedKind(group: string, resource: string): ServedResource {
  return defineKind({ group, resource, strategy: STRATEGIES[resource], columns: storedColumns[resource] });
}
