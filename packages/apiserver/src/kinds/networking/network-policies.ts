import { selectorCauses } from '../../authz/label-selector-causes.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/fields/field-error.ts';
import { child, index } from '../../schema/fields/field-path.ts';
import { labelSelectorFrom, type LabelSelectorObject } from '../../select/index.ts';
import type { FieldCause } from '../../status/status-error.ts';
import { ageColumn, column, nameColumn, type Shown } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { portNameProblems, portNumberCauses } from '../pod/validate-container.ts';

interface NetworkPolicyFields {
  spec: { podSelector?: LabelSelectorObject; ingress?: Rule[]; egress?: Rule[]; policyTypes?: string[] };
}

type NetworkPolicy = ApiObject & NetworkPolicyFields;

interface Rule {
  ports?: Port[];
  from?: Peer[];
  to?: Peer[];
}

interface Port {
  protocol?: string;
  port?: string | number;
  endPort?: number;
}

interface Peer {
  podSelector?: LabelSelectorObject;
  namespaceSelector?: LabelSelectorObject;
  ipBlock?: object;
}

function causes({ spec }: NetworkPolicy): readonly FieldCause[] {
  const { podSelector = {}, ingress = [], egress = [], policyTypes = [] } = spec;
  return [
    ...selectorCauses(podSelector, 'spec.podSelector'),
    ...ingress.flatMap((rule, at) => ruleCauses(rule, index('spec.ingress', at), 'from')),
    ...egress.flatMap((rule, at) => ruleCauses(rule, index('spec.egress', at), 'to')),
    ...(policyTypes.length > 2
      ? [invalid('spec.policyTypes', policyTypes, 'may not specify more than two policyTypes')]
      : []),
    ...policyTypes.flatMap((type, at) =>
      type === 'Ingress' || type === 'Egress'
        ? []
        : [notSupported(index('spec.policyTypes', at), type, ['Ingress', 'Egress'])],
    ),
  ];
}

function ruleCauses(rule: Rule, field: string, side: 'from' | 'to'): readonly FieldCause[] {
  return [
    ...(rule.ports ?? []).flatMap((port, at) => portCauses(port, index(child(field, 'ports'), at))),
    ...(rule[side] ?? []).flatMap((peer, at) => peerCauses(peer, index(child(field, side), at))),
  ];
}

function portCauses({ protocol = '', port, endPort }: Port, field: string): readonly FieldCause[] {
  const known = ['TCP', 'UDP', 'SCTP'];
  const last = child(field, 'endPort');
  const wrongProtocol = known.includes(protocol) ? [] : [notSupported(child(field, 'protocol'), protocol, known)];
  if (typeof port === 'number') {
    const isBackwards = endPort !== undefined && endPort < port;
    return [
      ...wrongProtocol,
      ...portNumberCauses(child(field, 'port'), port),
      ...(isBackwards ? [invalid(last, port, 'must be greater than or equal to `port`')] : []),
      ...(endPort === undefined ? [] : portNumberCauses(last, endPort)),
    ];
  }
  const state = port === undefined ? 'not specified' : 'non-numeric';
  return [
    ...wrongProtocol,
    ...(endPort === undefined ? [] : [invalid(last, endPort, `may not be specified when \`port\` is ${state}`)]),
    ...(port === undefined
      ? []
      : portNameProblems(port).map((problem) => invalid(child(field, 'port'), port, problem))),
  ];
}

function peerCauses(
  { podSelector, namespaceSelector, ipBlock: addresses }: Peer,
  field: string,
): readonly FieldCause[] {
  const selectors = [podSelector, namespaceSelector].filter((selector) => selector !== undefined);
  if (selectors.length === 0 && addresses === undefined) return [required(field, 'must specify a peer')];
  return [
    ...(podSelector ? selectorCauses(podSelector, child(field, 'podSelector')) : []),
    ...(namespaceSelector ? selectorCauses(namespaceSelector, child(field, 'namespaceSelector')) : []),
    ...(selectors.length > 0 && addresses ? [forbidden(field, 'may not specify both ipBlock and another peer')] : []),
  ];
}

function fillIn({ spec }: NetworkPolicy): void {
  for (const { ports = [] } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of ports) port.protocol ??= 'TCP';
  }
  spec.policyTypes ??= spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
}

export const networkPolicies = defineKind({
  group: 'networking.k8s.io',
  resource: 'networkpolicies',
  columns: [
    nameColumn,
    column(
      'Pod-Selector',
      'Pods it is about.',
      ({ spec }: Shown<NetworkPolicyFields>) => labelSelectorFrom(spec?.podSelector ?? {}).toString() || '<none>',
    ),
    ageColumn,
  ],
  strategy: {
    tracksGeneration: true,
    validateCreate: (object) => causes(object as NetworkPolicy),
    validateUpdate: (object) => causes(object as NetworkPolicy),
  },
  fillIn: (object) => fillIn(object as NetworkPolicy),
});
