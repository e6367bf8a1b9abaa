import { dnsLabelProblems, qualifiedNameProblems } from '../../metadata/name-rules.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { Strategy } from '../../registry/served-resource.ts';
import { invalid } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';

interface Namespace extends ApiObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/** Stays until everything in the namespace is gone. */
const FINALIZER = 'kubernetes';
const NAME_LABEL = 'kubernetes.io/metadata.name';

const strategy: Partial<Strategy> = {
  nameProblems: dnsLabelProblems,
  prepareCreate: (object) => {
    const created = object as Namespace;
    const finalizers = created.spec?.finalizers ?? [];
    created.spec = {
      ...created.spec,
      finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER],
    };
    created.status = { phase: 'Active' };
  },
  prepareUpdate: (object, old) => {
    const { finalizers } = (old as Namespace).spec ?? {};
    (object as Namespace).spec = finalizers ? { finalizers } : {};
  },
  validateCreate: (object) => finalizerCauses(object),
  validateUpdate: (object) => [...finalizerCauses(object), ...phaseCauses(object)],
  holdsDeletion: (object) => Boolean((object as Namespace).spec?.finalizers?.length),
  beginDeletion: (object) => {
    (object as Namespace).status = { ...(object as Namespace).status, phase: 'Terminating' };
  },
  returnsDeleted: true,
};

function finalizerCauses({ spec }: Namespace): readonly FieldCause[] {
  const field = 'spec.finalizers';
  return (spec?.finalizers ?? []).flatMap((finalizer) => {
    const isKnown = finalizer.includes('/') || finalizer === FINALIZER;
    const foreign = isKnown ? [] : ['name is neither a standard finalizer name nor is it fully qualified'];
    return [...qualifiedNameProblems(finalizer), ...foreign].map((problem) => invalid(field, finalizer, problem));
  });
}

function phaseCauses({ metadata, status }: Namespace): readonly FieldCause[] {
  const isGoing = metadata.deletionTimestamp !== undefined;
  const expected = isGoing ? 'Terminating' : 'Active';
  if (status?.phase === expected) return [];
  const when = isGoing ? '`deletionTimestamp` is not empty' : '`deletionTimestamp` is empty';
  return [invalid('status.Phase', status?.phase ?? '', `may only be '${expected}' if ${when}`)];
}

export const namespaces = defineKind({
  group: '',
  resource: 'namespaces',
  columns: [
    nameColumn,
    column('Status', 'Active or Terminating.', ({ status }: Namespace) => status?.phase ?? ''),
    ageColumn,
  ],
  selectableFields: {
    'status.phase': (object) => (object as Namespace).status?.phase ?? '',
    name: ({ metadata }) => metadata.name ?? '',
  },
  strategy,
  fillIn: (object) => {
    const { metadata } = object;
    // The label lets selectors find a namespace by its name, so nobody can take it away.
    if (metadata.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
    const { status } = object as Namespace;
    if (status) status.phase ||= 'Active';
  },
});
