import type { ApiObject } from '../objects/api-object.ts';
import type { Strategy } from '../registry/served-resource.ts';
import { kubeTime } from '../operations/kube-time.ts';
import { cleanupFinalizer, type Crd, withCondition } from './crd.ts';
import { formatWarnings } from './format-warnings.ts';
import { crdProblems, crdStatusProblems, crdUpdateProblems } from './validate-crd.ts';

/** What is particular about CustomResourceDefinitions among the objects of the server. */
export const crdStrategy: Strategy = {
  unconditionalUpdate: false,
  tracksGeneration: true,
  prepareCreate: (object) => {
    const crd = object as Crd;
    const storage = crd.spec?.versions?.find(({ storage }) => storage);
    crd.status = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storage ? [storage.name] : [],
    };
  },
  prepareUpdate: (object, old) => {
    rememberStorage(object as Crd, old as Crd);
  },
  validateCreate: (object) => crdProblems(object as Crd),
  validateUpdate: (object, old) => crdUpdateProblems(object as Crd, old as Crd),
  warnings: (object, old) => formatWarnings(object as Crd, old as Crd | undefined),
  validateStatusUpdate: (object) => crdStatusProblems(object as Crd),
  deletionFinalizers: () => [cleanupFinalizer],
  beginDeletion: (object) => {
    const crd = object as Crd;
    const now = kubeTime(new Date());
    const conditions = withCondition(
      crd.status?.conditions ?? [],
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
      now,
    );
    crd.status = { ...crd.status, conditions };
  },
};

/** Fills in the defaults of a definition, in place. */
export function fillInCrd(object: ApiObject): void {
  const { spec } = object as Crd;
  if (!spec) return;
  spec.conversion ??= { strategy: 'None' };
  if (!spec.names?.kind) return;
  spec.names.singular ||= spec.names.kind.toLowerCase();
  spec.names.listKind ||= `${spec.names.kind}List`;
}

/** A version that ever was the storage version may still have objects. */
function rememberStorage(crd: Crd, old: Crd): void {
  const storage = crd.spec?.versions?.find(({ storage }) => storage)?.name;
  const stored = old.status?.storedVersions ?? [];
  crd.status = { ...old.status, storedVersions: storage && !stored.includes(storage) ? [...stored, storage] : stored };
}
