export { claimName, type ClaimWords, claimWords } from './claims/claim-words.ts';
export { ConditionType } from './conditions/condition-types.ts';
export { readySummary, setReady } from './conditions/ready-summary.ts';
export {
  APIServiceBindingReason,
  APIServiceExportReason,
  APIServiceExportRequestReason,
  APIServiceNamespaceReason,
  AppClusterBindingReason,
  ClusterBindingReason,
  InstanceReason,
} from './conditions/reasons.ts';
export {
  type ConditionState,
  falseCondition,
  findCondition,
  isConditionTrue,
  isSameState,
  setCondition,
  trueCondition,
  unknownCondition,
} from './conditions/set-condition.ts';

export {
  type ErrorEntry,
  errorCatalogue,
  errorEntry,
  type ExitClass,
  type KlutchErrorCode,
} from './errors/catalogue.ts';
export { isKlutchError, KlutchError } from './errors/klutch-error.ts';

export { type ExportedApi, exportedApi } from './exports/from-crd.ts';
export { sourceSpecHash } from './exports/source-spec-hash.ts';
export { syncVersion } from './exports/sync-version.ts';
export { crdOfExport } from './exports/to-crd.ts';

export {
  type APIServiceBinding,
  APIServiceBindings,
  apiServiceBindingCrd,
  ClusterScopedAPIServiceBindings,
  clusterScopedAPIServiceBindingCrd,
} from './kinds/api-service-binding.ts';
export {
  type APIServiceExportRequest,
  APIServiceExportRequests,
  type APIServiceExportRequestSpec,
  apiServiceExportRequestCrd,
  type RequestedResource,
} from './kinds/api-service-export-request.ts';
export {
  type AnyninesAPIServiceExportTemplate,
  AnyninesAPIServiceExportTemplates,
  anyninesAPIServiceExportTemplateCrd,
  type APIServiceExportTemplate,
  APIServiceExportTemplates,
  apiServiceExportTemplateCrd,
  type OfferedApi,
  offeredApi,
} from './kinds/api-service-export-template.ts';
export {
  type APIServiceExport,
  APIServiceExports,
  type APIServiceExportSpec,
  apiServiceExportCrd,
  type ClusterScopedIsolation,
  type InformerScope,
} from './kinds/api-service-export.ts';
export {
  type APIServiceNamespace,
  APIServiceNamespaces,
  apiServiceNamespaceCrd,
} from './kinds/api-service-namespace.ts';
export { type AppClusterBinding, AppClusterBindings, appClusterBindingCrd } from './kinds/app-cluster-binding.ts';
export { type ClusterBinding, ClusterBindings, clusterBindingCrd } from './kinds/cluster-binding.ts';
export type { Condition, ConditionSeverity, ConditionStatus } from './kinds/condition.ts';
export type { CrdNames, Scope } from './kinds/crd-names.ts';
export { clusterScopedCrds, crds } from './kinds/crds.ts';
export {
  type CrdVersion,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from './kinds/custom-resource-definition.ts';
export type { ExportedVersion, PrinterColumn } from './kinds/exported-version.ts';
export type { GroupResource } from './kinds/group-resource.ts';
export type { KonnectorOverrides } from './kinds/konnector-overrides.ts';
export type { AcceptablePermissionClaim, PermissionClaim } from './kinds/permission-claim.ts';
export type { ClusterSecretKeyRef, LocalSecretKeyRef } from './kinds/secret-key-ref.ts';

export { annotations, boundValue, ResourceOwner } from './names/annotations.ts';
export { apiName } from './names/api-name.ts';
export { bindingOwnerReference, isOwnedByBinding } from './names/binding-owner.ts';
export { bundleNames } from './names/bundle-names.ts';
export { finalizers } from './names/finalizers.ts';
export { anyninesTemplateGroup, apiVersion, group, templateGroup } from './names/groups.ts';
export { clusterId, goIdentity, sessionEntropy, sessionId } from './names/identity.ts';
export { labels } from './names/labels.ts';
export {
  alternativeExportRequestMetadata,
  derivedExportRequestName,
  exportRequestMetadata,
} from './names/request-name.ts';
export {
  binderRoleName,
  controlPlaneKonnectorName,
  distinctName,
  goBindingRootNamespaceName,
  goServiceNamespaceName,
  legacyKonnectorRoleName,
  maxNameLength,
  prefixedName,
} from './names/tenant-names.ts';
export {
  appCluster,
  controlPlane,
  fieldManager,
  goKonnectorImage,
  goKonnectorManager,
  konnectorNodeOptions,
  kubeconfigKey,
  lease,
} from './names/well-known.ts';

export {
  type ServiceDescription,
  serviceDescriptionAnnotations,
  serviceDescriptionOf,
} from './services/service-description.ts';

export {
  type BindingProvider,
  loginUrl,
  parseBindingProvider,
} from './payloads/binding-provider.ts';
export {
  type BindingResponse,
  decodeBindingResponse,
  encodeBindingResponse,
  kubeconfigOf,
  parseBindingResponse,
} from './payloads/binding-response.ts';
export { type APIServiceExportRequestResponse, parseExportRequest } from './payloads/export-request-response.ts';
export {
  type Enrolment,
  type EnrolmentReading,
  enrolmentSecret,
  readEnrolment,
} from './payloads/enrolment-secret.ts';
