import type { ApiObject } from '../../objects/api-object.ts';
import { labelSelectorFrom } from '../../select/index.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { serviceCauses, serviceNameProblems } from './validate-service.ts';

export interface Service extends ApiObject {
  spec?: ServiceSpec;
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string; ipMode?: string }[] } };
}

export interface ServiceSpec {
  type?: string;
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  externalIPs?: string[];
  externalName?: string;
  ports?: ServicePort[];
  sessionAffinity?: string;
  sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } };
  externalTrafficPolicy?: string;
  internalTrafficPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
}

export interface ServicePort {
  name?: string;
  protocol?: string;
  port?: number;
  targetPort?: string | number;
  nodePort?: number;
}

const THREE_HOURS = 10_800;

function fillIn({ spec = {}, status }: Service): void {
  spec.type ||= 'ClusterIP';
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: THREE_HOURS, ...spec.sessionAffinityConfig?.clientIP } };
  }
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  const isOpen = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  if (isOpen || (spec.type === 'ClusterIP' && spec.externalIPs?.length)) spec.externalTrafficPolicy ||= 'Cluster';
  if (isOpen || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.clusterIP) spec.clusterIPs ??= [spec.clusterIP];
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

function externalAddress({ spec = {}, status }: Service): string {
  const own = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer': {
      const found = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []);
      return [...new Set(found)].sort().concat(own).join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function portText({ port, nodePort, protocol }: ServicePort): string {
  return nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

/** Nobody routes anything to services here, so they get no address of their own. */
export const services = defineKind({
  group: '',
  resource: 'services',
  columns: [
    nameColumn,
    column('Type', 'How the service is reached.', ({ spec }: Service) => spec?.type ?? ''),
    column('Cluster-IP', 'Address of the service.', ({ spec }: Service) => spec?.clusterIPs?.[0] ?? '<none>'),
    column('External-IP', 'Addresses for clients outside.', externalAddress),
    column(
      'Port(s)',
      'Ports of the service.',
      ({ spec }: Service) => (spec?.ports ?? []).map(portText).join(',') || '<none>',
    ),
    ageColumn,
    wideColumn(
      'Selector',
      'Pods behind the service.',
      ({ spec }: Service) => labelSelectorFrom({ matchLabels: spec?.selector ?? {} }).toString() || '<none>',
    ),
  ],
  selectableFields: {
    'spec.clusterIP': (object) => (object as Service).spec?.clusterIP ?? '',
    'spec.type': (object) => (object as Service).spec?.type ?? '',
  },
  strategy: {
    createOnUpdate: true,
    nameProblems: serviceNameProblems,
    returnsDeleted: true,
    validateCreate: (object) => serviceCauses(object),
    validateUpdate: (object) => serviceCauses(object),
  },
  fillIn: (object) => fillIn(object),
});
