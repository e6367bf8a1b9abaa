import type { InformerScope } from '@klutch/api';
import type { ControllerDeps } from '../process/controller-deps.ts';

/** What the controllers of ClusterBindings work with. */
export interface ClusterBindingDeps extends ControllerDeps {
  readonly options: { readonly consumerScope: InformerScope };
}
