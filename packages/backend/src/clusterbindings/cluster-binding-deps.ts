import type { InformerScope } from '@klutch/api';
import type { Audit } from '../audit/audit.ts';
import type { ControllerDeps } from '../process/controller-deps.ts';
import type { CompleteCatalogue } from '../templates/catalogue.ts';

/** What the controllers of ClusterBindings work with. */
export interface ClusterBindingDeps extends ControllerDeps {
  readonly audit: Audit;
  readonly catalogue: Pick<CompleteCatalogue, 'withdrawal' | 'onChange' | 'synced'>;
  readonly options: { readonly consumerScope: InformerScope };
}
