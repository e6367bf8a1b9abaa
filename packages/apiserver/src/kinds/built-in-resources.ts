import type { ServedResource } from '../registry/served-resource.ts';
import { validatingAdmissionPolicies } from './admissionregistration/validating-admission-policies.ts';
import { validatingAdmissionPolicyBindings } from './admissionregistration/validating-admission-policy-bindings.ts';
import { customResourceDefinitions } from './apiextensions/custom-resource-definitions.ts';
import { apiServices } from './apiregistration/api-services.ts';
import { deployments } from './apps/deployments.ts';
import { leases } from './coordination/leases.ts';
import { configMaps } from './core/config-maps.ts';
import { endpoints } from './core/endpoints.ts';
import { events } from './core/events.ts';
import { namespaces } from './core/namespaces.ts';
import { pods } from './core/pods.ts';
import { resourceQuotas } from './core/resource-quotas.ts';
import { secrets } from './core/secrets.ts';
import { serviceAccounts } from './core/service-accounts.ts';
import { services } from './core/services.ts';
import { groupEvents } from './events/events.ts';
import { networkPolicies } from './networking/network-policies.ts';
import { publishedResources } from './published/published-resources.ts';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from './rbac/rbac-kinds.ts';
import { storedKind } from './stored-kinds.ts';
import { workloadKinds } from './workloads/workload-kinds.ts';

/** Kinds of which more is known than Kubernetes publishes. */
const ownKinds: readonly ServedResource[] = [
  namespaces,
  secrets,
  configMaps,
  serviceAccounts,
  events,
  groupEvents,
  pods,
  services,
  endpoints,
  resourceQuotas,
  deployments,
  ...workloadKinds,
  leases,
  networkPolicies,
  roles,
  roleBindings,
  clusterRoles,
  clusterRoleBindings,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  customResourceDefinitions,
  apiServices,
];

/** The kinds that are served without a CustomResourceDefinition. */
export const builtInResources: readonly ServedResource[] = publishedResources.map(
  ({ group, name }) => ownKinds.find((own) => own.group === group && own.resource === name) ?? storedKind(group, name),
);
