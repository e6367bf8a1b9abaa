import { goQuote } from '@klutch/cel';
import { dnsSubdomainProblems, pathSegmentProblems } from '../../metadata/name-rules.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import { kubeTime } from '../../operations/kube-time.ts';
import { forbidden, invalid, required } from '../../schema/fields/field-error.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn, type Shown } from '../columns.ts';
import { serviceNameProblems } from '../core/validate-service.ts';
import { defineKind } from '../define-kind.ts';

interface ApiServiceFields {
  spec: {
    service?: { namespace?: string; name?: string };
    group?: string;
    version?: string;
    groupPriorityMinimum?: number;
    versionPriority?: number;
  };
  status?: { conditions?: { type: string; status: string; reason?: string }[] };
}

type ApiService = ApiObject & ApiServiceFields;

function causes({ metadata, spec }: ApiService): readonly FieldCause[] {
  const { group = '', version = '', groupPriorityMinimum: rank = 0, versionPriority: place = 0 } = spec;
  const wanted = `${version}.${group}`;
  const isNamedSo = metadata.name === wanted;
  return [
    ...(isNamedSo
      ? []
      : [invalid('metadata.name', metadata.name ?? '', `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`)]),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : dnsSubdomainProblems(group).map((problem) => invalid('spec.group', group, problem))),
    ...serviceNameProblems(version).map((problem) => invalid('spec.version', version, problem)),
    ...(rank > 0 && rank <= 20_000
      ? []
      : [invalid('spec.groupPriorityMinimum', rank, 'must be positive and less than 20000')]),
    ...(place > 0 && place <= 1000
      ? []
      : [invalid('spec.versionPriority', place, 'must be positive and less than 1000')]),
    // Requests would have to be passed on to that service; clients are told instead of being left to wonder.
    ...(spec.service
      ? [forbidden('spec.service', 'aggregated API servers are not supported by the embedded API server')]
      : []),
  ];
}

/** What this server serves itself is there at once. */
function localCondition() {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: kubeTime(new Date()),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function available({ status }: Shown<ApiServiceFields>): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`;
}

export const apiServices = defineKind({
  group: 'apiregistration.k8s.io',
  resource: 'apiservices',
  columns: [
    nameColumn,
    column('Service', 'Who serves it.', ({ spec }: Shown<ApiServiceFields>) =>
      spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local',
    ),
    column('Available', 'Whether it can be used.', available),
    ageColumn,
  ],
  strategy: {
    unconditionalUpdate: false,
    nameProblems: pathSegmentProblems,
    prepareCreate: (object) => {
      (object as ApiService).status = { conditions: [localCondition()] };
    },
    validateCreate: (object) => causes(object as ApiService),
    validateUpdate: (object) => causes(object as ApiService),
  },
});
