import { condition } from '../meta/condition.ts';
import { bool, dict, int32, intOrString, keyed, list, must, named, ptr, struct, text, value } from '../types/fields.ts';

const portStatus = struct('PortStatus', 'State of a port.', {
  port: must(int32('The port.')),
  protocol: must(named('Protocol', 'TCP, UDP or SCTP.')),
  error: ptr(text('What is wrong with it.')),
});

const loadBalancerIngress = struct('LoadBalancerIngress', 'Where a load balancer is reached.', {
  ip: text('Address.'),
  hostname: text('Name.'),
  ipMode: ptr(named('LoadBalancerIPMode', 'VIP or Proxy.')),
  ports: list(portStatus, 'State of its ports.'),
});

const loadBalancerStatus = struct('LoadBalancerStatus', 'A load balancer.', {
  ingress: list(loadBalancerIngress, 'Where it is reached.'),
});

const serviceStatus = struct('ServiceStatus', 'What is known of a service.', {
  loadBalancer: value(loadBalancerStatus, 'Its load balancer.'),
  conditions: keyed('type', condition, 'Aspects of its state.'),
});

const clientIpConfig = struct('ClientIPConfig', 'Affinity by address of the client.', {
  timeoutSeconds: ptr(int32('How long it lasts.')),
});

const sessionAffinityConfig = struct('SessionAffinityConfig', 'Settings of the session affinity.', {
  clientIP: ptr(clientIpConfig, 'By address of the client.'),
});

const servicePort = struct('ServicePort', 'A port of a service.', {
  name: text('Name, unique within the service.'),
  protocol: named('Protocol', 'TCP, UDP or SCTP.', { default: 'TCP' }),
  appProtocol: ptr(text('What is spoken on it.')),
  port: must(int32('Number of the port.')),
  targetPort: intOrString('Number or name of the port of the pods.'),
  nodePort: int32('Port of the nodes.'),
});

const serviceSpec = struct('ServiceSpec', 'What a service is to be.', {
  ports: keyed(['port', 'protocol'], servicePort, 'Its ports.'),
  selector: dict(text(), 'Labels of the pods behind it.', { 'x-kubernetes-map-type': 'atomic' }),
  clusterIP: text('Its address; None for a headless service.'),
  clusterIPs: list(text(), 'Its addresses.'),
  type: named('ServiceType', 'ClusterIP, NodePort, LoadBalancer or ExternalName.'),
  externalIPs: list(text(), 'Further addresses it answers on.'),
  sessionAffinity: named('ServiceAffinity', 'None or ClientIP.'),
  loadBalancerIP: text('Address wanted of the load balancer.'),
  loadBalancerSourceRanges: list(text(), 'Clients the load balancer lets in.'),
  externalName: text('Name it stands for, for ExternalName.'),
  externalTrafficPolicy: named('ServiceExternalTrafficPolicy', 'Cluster or Local.'),
  healthCheckNodePort: int32('Port for health checks.'),
  publishNotReadyAddresses: bool('Whether pods that are not ready count.'),
  sessionAffinityConfig: ptr(sessionAffinityConfig, 'Settings of the session affinity.'),
  ipFamilies: list(named('IPFamily'), 'IPv4, IPv6 or both.'),
  ipFamilyPolicy: ptr(named('IPFamilyPolicy', 'SingleStack, PreferDualStack or RequireDualStack.')),
  allocateLoadBalancerNodePorts: ptr(bool('Whether load balancers get node ports.')),
  loadBalancerClass: ptr(text('Who provides the load balancer.')),
  internalTrafficPolicy: ptr(named('ServiceInternalTrafficPolicy', 'Cluster or Local.')),
  trafficDistribution: ptr(text('Which endpoints are preferred.')),
});

export const service = struct(
  'Service',
  'A name and ports for a set of pods. This server keeps services as data and routes nothing.',
  { spec: value(serviceSpec, 'What is wanted.'), status: value(serviceStatus, 'What is there.') },
);
