import type { InformerScope } from '@klutch/api';
import type { Audit } from '../audit/audit.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';

/** What the controllers of ClusterBindings work with. */
export interface ClusterBindingDeps extends ControllerDeps {
  readonly audit: Audit;
  readonly options: { readonly consumerScope: InformerScope };
}
