import type { APIServiceBinding } from '@klutch/api';
import {
  type Clock,
  type Controller,
  type ControllerMetrics,
  type Informer,
  keyOf,
  type Logger,
  onAbort,
  type QueueMetrics,
  type ReconcileResult,
  runController,
  type SharedInformers,
  type Source,
  systemClock,
} from '@klutch/kube';
import type { Running } from '../link/link.ts';
import type { BindingBoard } from './binding-board.ts';
import { refOfBinding } from './binding-ref.ts';
import type { BindingsOfLink } from './bindings-of-link.ts';
import { type Grouping, groupBindings, linkOf, secretRefOf } from './group-bindings.ts';
import { type Kubeconfig, kubeconfigOf, type Reading, type SecretKey, secretValid } from './kubeconfig-of.ts';
import { watchSecrets } from './watch-secrets.ts';

/** Where the wishes for links go. */
export interface LinkWishes {
  /** There are bindings for this link. `kubeconfig` is what its Secret holds now, undefined when it cannot be used. */
  want(link: string, kubeconfig: Kubeconfig | undefined, bindings: BindingsOfLink): void;
  /** No binding is left for this link. */
  drop(link: string): void;
  /** Why the kubeconfig last wanted for a link was not taken into use, in a sentence. */
  refusal(link: string): string | undefined;
}

export interface BindingsOptions {
  readonly informer: Informer<APIServiceBinding>;
  /** Of the cluster with the bindings and their Secrets. */
  readonly informers: SharedInformers;
  readonly grouping: Grouping;
  /** The Secret whose kubeconfig a link uses. */
  readonly secretOf: (link: string) => SecretKey;
  /** Whether the current context of a kubeconfig must name a namespace. */
  readonly needsNamespace: boolean;
  readonly board: BindingBoard;
  readonly links: LinkWishes;
  readonly signal: AbortSignal;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly metrics?: ControllerMetrics & QueueMetrics;
}

/** Judges the Secrets of bindings, and says which links there have to be. `look` asks for another look at a link. */
export function runBindings(options: BindingsOptions): Running & { look(link: string): void } {
  const { informer, informers, grouping, secretOf, needsNamespace, board, links, signal, log, metrics } = options;
  const { clock = systemClock } = options;
  const wanted = new Set<string>();
  /** Since when links have no binding any more. */
  const emptySince = new Map<string, number>();
  const secrets = watchSecrets(informers, (key) => {
    for (const link of usersOf(key)) controller.enqueue(link);
  });

  const bindingsSource: Source = {
    start: async (enqueue, until) => {
      const unsubscribe = informer.subscribe((change) => {
        enqueue(linkOf(change.object, grouping) ?? noLink);
        if (change.type === 'updated') enqueue(linkOf(change.old, grouping) ?? noLink);
      });
      onAbort(until, unsubscribe);
      await informer.synced;
      if (grouping.by === 'one') enqueue(grouping.link);
    },
  };
  const controller: Controller = runController({
    name: 'bindings',
    sources: [bindingsSource],
    reconcile,
    signal,
    clock,
    log,
    metrics,
  });

  function reconcile(link: string): ReconcileResult | void {
    const groups = groupBindings(informer.cache.values(), grouping);
    secrets.keepOnly(neededSecrets(groups));
    if (link === noLink) return reportUnnamed();
    const bindings = groups.get(link) ?? [];
    // The one link of a konnector is also needed to clean up after the last binding.
    if (bindings.length === 0 && grouping.by !== 'one') return leave(link);
    emptySince.delete(link);
    wanted.add(link);
    const ref = secretOf(link);
    const own = read(ref);
    if (own) links.want(link, own.kubeconfig, bindingsOf(link));
    let areAllKnown = true;
    for (const binding of bindings) {
      const named = secretRefOf(binding);
      const reading = named ? read(named) : unnamed;
      areAllKnown &&= reading !== undefined && !isUnread(reading);
      if (!reading) continue;
      const isOwn = named !== undefined && keyOf(named) === keyOf(ref);
      board.report(refOfBinding(binding), secretValid(reading, isOwn ? links.refusal(link) : undefined));
    }
    // The watch of a Secret comes back with it; that it cannot be watched, nobody tells.
    return areAllKnown ? undefined : { requeueAfter: unreadMs };
  }

  /** A link outlives its last binding for a while, so that the control plane can be told that it is gone. */
  function leave(link: string): ReconcileResult | void {
    if (!wanted.has(link)) return;
    const since = emptySince.get(link) ?? clock.now();
    emptySince.set(link, since);
    const left = farewellMs - (clock.now() - since);
    if (left > 0) return { requeueAfter: left };
    emptySince.delete(link);
    wanted.delete(link);
    links.drop(link);
  }

  /** What a Secret holds; undefined until that is known. */
  function read(ref: SecretKey): Reading | undefined {
    const secret = secrets.follow(ref);
    if (secret.hasSynced) return kubeconfigOf(secret.cache.get(ref), { ref, needsNamespace });
    if (!secret.problem) return undefined;
    return { reason: 'KubeconfigSecretInvalid', problem: `${unreadPrefix} ${secret.problem.message}` };
  }

  function reportUnnamed(): void {
    for (const binding of informer.cache.values()) {
      if (!secretRefOf(binding)) board.report(refOfBinding(binding), secretValid(unnamed));
    }
  }

  function usersOf(secret: string): Set<string> {
    const users = new Set<string>(grouping.by === 'one' ? [grouping.link] : []);
    for (const binding of informer.cache.values()) {
      const link = linkOf(binding, grouping);
      if (link === undefined) continue;
      const named = secretRefOf(binding);
      if (keyOf(secretOf(link)) === secret || (named && keyOf(named) === secret)) users.add(link);
    }
    return users;
  }

  function neededSecrets(groups: ReadonlyMap<string, readonly APIServiceBinding[]>): Set<string> {
    const needed = new Set<string>(grouping.by === 'one' ? [keyOf(secretOf(grouping.link))] : []);
    for (const [link, bindings] of groups) {
      needed.add(keyOf(secretOf(link)));
      for (const binding of bindings) {
        const named = secretRefOf(binding);
        if (named) needed.add(keyOf(named));
      }
    }
    return needed;
  }

  function bindingsOf(link: string): BindingsOfLink {
    const isMine = (binding: APIServiceBinding) => linkOf(binding, grouping) === link;
    return {
      list: () => [...informer.cache.values()].filter(isMine),
      subscribe: (changed) =>
        informer.subscribe((change) => {
          if (isMine(change.object) || (change.type === 'updated' && isMine(change.old))) changed();
        }),
    };
  }

  return { ready: controller.ready, stopped: controller.stopped, look: (link) => controller.enqueue(link) };
}

const unreadMs = 2_000;
const farewellMs = 5_000;
const unreadPrefix = 'The kubeconfig Secret cannot be read:';

function isUnread(reading: Reading): boolean {
  return !reading.kubeconfig && reading.problem.startsWith(unreadPrefix);
}

/** Key for bindings that name no Secret, which cannot be the name of a link. */
const noLink = '';

const unnamed: Reading = {
  reason: 'KubeconfigSecretInvalid',
  problem: 'The binding names no kubeconfig Secret. Delete it and bind again.',
};
