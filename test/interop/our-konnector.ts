import { runKonnector, type TestKonnector } from '../konnector/run-konnector.ts';
import { recordRequests, type SentRequest } from './sent-requests.ts';
import type { Stage } from './stage.ts';

/** Our konnector, and everything it sends. */
export interface OurKonnector extends TestKonnector {
  readonly sent: readonly SentRequest[];
}

/** Promised to the control plane, short enough to see heartbeats come. */
export const heartbeatMs = 2_000;

/** Starts ours for the bindings of a stage, with the rights that we document for it, under the lease of all konnectors. */
export async function startOurs(stage: Stage): Promise<OurKonnector> {
  const sent: SentRequest[] = [];
  const konnector = await runKonnector(stage.app, {
    apis: [stage.api],
    claims: [{ resource: 'secrets', owner: 'Provider' }],
    interceptors: [recordRequests(sent)],
    options: { heartbeatMs },
  });
  return { ...konnector, sent };
}
