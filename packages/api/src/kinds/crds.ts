import { apiServiceBindingCrd, clusterScopedAPIServiceBindingCrd } from './api-service-binding.ts';
import { apiServiceExportRequestCrd } from './api-service-export-request.ts';
import { anyninesAPIServiceExportTemplateCrd, apiServiceExportTemplateCrd } from './api-service-export-template.ts';
import { apiServiceExportCrd } from './api-service-export.ts';
import { apiServiceNamespaceCrd } from './api-service-namespace.ts';
import { appClusterBindingCrd } from './app-cluster-binding.ts';
import { clusterBindingCrd } from './cluster-binding.ts';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';

/** All CRDs in the form that current components expect. */
export const crds: readonly CustomResourceDefinition[] = [
  apiServiceBindingCrd,
  apiServiceExportCrd,
  apiServiceExportRequestCrd,
  apiServiceNamespaceCrd,
  clusterBindingCrd,
  appClusterBindingCrd,
  apiServiceExportTemplateCrd,
  anyninesAPIServiceExportTemplateCrd,
];

/** CRDs for app clusters whose konnector or CLI is v1.5.0 or older. Never installed together with {@link crds}. */
export const clusterScopedCrds: readonly CustomResourceDefinition[] = [clusterScopedAPIServiceBindingCrd];
