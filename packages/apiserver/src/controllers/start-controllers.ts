import type { World } from '../operations/call.ts';
import { startNamespaceDefaults } from './accounts/namespace-defaults.ts';
import { type IssueSecretToken, startTokenController } from './accounts/token-controller.ts';
import { startApiServiceController } from './api-services/api-service-controller.ts';
import { type ControllerLog, createContext, onStop, type RunningController } from './context.ts';
import { startCrdController } from './crds/crd-controller.ts';
import type { TypesOfCrd } from './crds/served-types.ts';
import { startEventExpiryController } from './events/event-expiry-controller.ts';
import { startGarbageCollector } from './garbage/garbage-collector.ts';
import type { Loop } from './loop/run-loop.ts';
import { startNamespaceController } from './namespaces/namespace-controller.ts';
import { ensureSystemNamespaces } from './namespaces/system-namespaces.ts';
import { startQuotaController } from './quota/quota-controller.ts';
import { startAggregationController } from './rbac/aggregation-controller.ts';
import { ensureBootstrapPolicy } from './rbac/bootstrap-policy.ts';

export interface ControllersOptions {
  readonly world: World;
  /** Certificate authority of the server in PEM, for those who connect to it from inside. */
  readonly caCertificate: string;
  /** Signs tokens for Secrets. Without it Secrets of that type stay as they are. */
  readonly issueToken?: IssueSecretToken;
  /** Stops everything. */
  readonly signal: AbortSignal;
  /** Default: nothing is logged. */
  readonly log?: ControllerLog;
  /** How a CustomResourceDefinition becomes resource types. */
  readonly typesOfCrd: TypesOfCrd;
}

export interface Controllers {
  /**
   * Resolves when the server can be used: all that a cluster has by itself is there, and what was stored has been looked
   * at, but for garbage, which is collected later. Rejects when the store does not take the writes.
   */
  readonly ready: Promise<void>;
  /** Resolves when nothing is under way. For tests and measurements: what waits to be tried again does not count. */
  idle(): Promise<void>;
  /** Resolves after the signal, when all work has ended. */
  readonly stopped: Promise<void>;
}

/**
 * Starts what kube-controller-manager and kube-apiserver do by themselves. When it returns, types of stored
 * CustomResourceDefinitions are served. All state is in the objects: it can be stopped at any moment and goes on from
 * there. While nothing changes, it does nothing.
 */
export function startControllers(options: ControllersOptions): Controllers {
  const { world, caCertificate, issueToken, typesOfCrd, signal, log = { warn: () => {} } } = options;
  const context = createContext({ world, signal, log });
  const running: RunningController[] = [
    startCrdController(context, typesOfCrd),
    startNamespaceController(context),
    startNamespaceDefaults(context, caCertificate),
    startAggregationController(context),
    startApiServiceController(context),
    startEventExpiryController(context),
    startQuotaController(context),
    ...(issueToken ? [startTokenController(context, { caCertificate, issueToken })] : []),
  ];
  const garbage = startGarbageCollector(context);
  const loops = running.map(({ loop }) => loop);
  const allLoops = [...loops, garbage.loop];

  const start = async () => {
    await Promise.all([ensureSystemNamespaces(world), ensureBootstrapPolicy(world)]);
    await idleTogether(loops);
  };
  const ready = start();
  return {
    ready,
    idle: async () => {
      await garbage.scanned;
      await idleTogether(allLoops);
    },
    stopped: stopped(),
  };

  async function stopped(): Promise<void> {
    const begun = ready.catch(() => undefined);
    await new Promise<void>((resolve) => onStop(context, resolve));
    await Promise.all([begun, garbage.scanned, ...allLoops.map((loop) => loop.stop())]);
  }
}

/** Work of one loop makes work for another before it ends, so that all of them idle at once are done. */
async function idleTogether(loops: readonly Loop[]): Promise<void> {
  while (loops.some(({ isIdle }) => !isIdle)) await Promise.all(loops.map((loop) => loop.idle()));
}
