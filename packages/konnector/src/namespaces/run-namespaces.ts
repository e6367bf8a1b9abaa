import { type APIServiceNamespace, APIServiceNamespaces, annotations, apiVersion, fieldManager } from '@klutch/api';
import { isKubeError, KubeError, Namespaces, onAbort, type ReconcileResult, runController } from '@klutch/kube';
import { createLinkQueue } from '../link/link-queue.ts';
import type { Link, Running } from '../link/link.ts';
import { type AppNamespace, type Decision, decide, type Seen, type SeenMapping } from './decide.ts';
import { createMappings } from './mappings.ts';
import type { NamespaceMap, StillUsed } from './namespace-map.ts';

export interface NamespacesOptions {
  readonly link: Link;
  /** Must answer true from the start for parts that are yet to look at their objects. */
  readonly stillUsed: StillUsed;
  /** Whether mappings that another app cluster left behind may be taken over. Default: none may. */
  readonly mayTakeOverFrom?: (cluster: string) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Keeps the APIServiceNamespaces of a link: asks for those that are wanted, follows the backend's answers, and gives up
 * those whose app Namespace was deleted. The map may be used when `ready` has resolved.
 */
export function runNamespaces(options: NamespacesOptions): Running & { readonly map: NamespaceMap } {
  const { link, stillUsed, mayTakeOverFrom = () => false, signal } = options;
  const { clusterNamespace } = link.tenant;
  const mappings = link.controlPlane.informers.acquire({
    type: APIServiceNamespaces,
    namespace: clusterNamespace,
    indexes: { byServiceNamespace: (mapping) => answersOf(mapping) },
  });
  const namespaces = link.app.informers.acquire({ type: Namespaces, metadataOnly: true });
  const mappingClient = link.controlPlane.client.resource(APIServiceNamespaces);
  const namespaceClient = link.app.client.resource(Namespaces);

  const wanted = new Map<string, Date>();
  const failures = new Map<string, string>();
  const deletionsSeen = new Set<string>();
  /** First answer of the backend by UID of the mapping. */
  const firstAnswers = new Map<string, string>();
  const map = createMappings(want);

  const controller = runController({
    name: 'namespaces',
    workers: 8,
    queue: createLinkQueue(link, { name: 'namespaces', backoff: { baseMs: 200, capMs: 60_000 } }),
    clock: link.clock,
    log: link.log,
    metrics: link.metrics.controller,
    signal,
    sources: [
      { start: (enqueue, ended) => followNamespaces(enqueue, ended) },
      { start: (enqueue, ended) => followMappings(enqueue, ended) },
    ],
    reconcile,
  });
  return { ready: controller.ready, stopped: end(), map };

  function want(name: string): void {
    if (wanted.has(name)) return;
    const since = link.clock.date();
    wanted.set(name, since);
    if (map.of(name).state === 'unknown') map.put(name, { state: 'waiting', since });
    controller.enqueue(name);
  }

  async function followNamespaces(enqueue: (name: string) => void, ended: AbortSignal): Promise<void> {
    const unsubscribe = namespaces.informer.subscribe((change) => {
      if (change.type === 'added') deletionsSeen.delete(change.key);
      if (change.type === 'deleted') {
        // Whatever wanted it is gone as well; a new Namespace of the name starts anew.
        wanted.delete(change.key);
        if (!change.lastKnown) deletionsSeen.add(change.key);
      }
      enqueue(change.key);
    });
    onAbort(ended, unsubscribe);
    await namespaces.informer.synced;
  }

  async function followMappings(enqueue: (name: string) => void, ended: AbortSignal): Promise<void> {
    const unsubscribe = mappings.informer.subscribe((change) => {
      const { name = '', uid = '' } = change.object.metadata;
      if (change.type === 'deleted') {
        firstAnswers.delete(uid);
        deletionsSeen.delete(name);
      }
      enqueue(name);
      // Somebody may have waited for this one to let go of a service namespace, or have to do so now.
      const answers = [...answersOf(change.object), ...(change.type === 'updated' ? answersOf(change.old) : [])];
      for (const answer of new Set(answers)) for (const { metadata } of sharing(answer)) enqueue(metadata.name ?? '');
    });
    onAbort(ended, unsubscribe);
    await mappings.informer.synced;
  }

  async function reconcile(name: string): Promise<ReconcileResult | void> {
    const found = mappings.informer.cache.get({ namespace: clusterNamespace, name });
    const decision = decide(see(name, found, appNamespace(name)));
    if (found === undefined && decision.mapping.state === 'unknown') forget(name);
    map.put(name, decision.mapping);
    const { lookAgainMs } = await carryOut(name, decision, found);
    return lookAgainMs === undefined ? undefined : { requeueAfter: lookAgainMs };
  }

  /** There is no place, and nothing has to travel. A deletion that was seen says nothing about a later place. */
  function forget(name: string): void {
    wanted.delete(name);
    failures.delete(name);
    deletionsSeen.delete(name);
  }

  async function carryOut(
    name: string,
    decision: Decision,
    found: APIServiceNamespace | undefined,
  ): Promise<Pick<Decision, 'lookAgainMs'>> {
    switch (decision.step) {
      case undefined:
        return decision;
      case 'create':
        await create(name);
        return decision;
      case 'mark':
        await mark(name, found);
        return decision;
      case 'confirm': {
        const absent = { ...appNamespace(name), confirmed: await isGone(name, found) };
        const confirmed = decide(see(name, found, absent));
        if (confirmed.step === 'give up') return carryOut(name, confirmed, found);
        return { lookAgainMs: confirmMs };
      }
      case 'give up':
        await giveUp(name, found);
        return {};
    }
  }

  function see(name: string, found: APIServiceNamespace | undefined, app: AppNamespace): Seen {
    const mapping = found && seenMapping(found);
    const place = mapping?.serviceNamespace;
    return {
      name,
      clusterNamespace,
      appClusterId: link.appClusterId,
      now: link.clock.date(),
      wantedSince: wanted.get(name),
      app,
      mapping,
      isReleased: link.orphansMayGo(),
      stillUsed: app.state === 'absent' && place !== undefined && stillUsed(place),
      failure: found === undefined ? failures.get(name) : undefined,
    };
  }

  function seenMapping(found: APIServiceNamespace): SeenMapping {
    const { metadata } = found;
    const [serviceNamespace] = answersOf(found);
    if (serviceNamespace !== undefined && metadata.uid !== undefined && !firstAnswers.has(metadata.uid))
      firstAnswers.set(metadata.uid, serviceNamespace);
    const sourceCluster = metadata.annotations?.[annotations.sourceCluster];
    const writtenDown = metadata.annotations?.[annotations.serviceNamespace] || undefined;
    return {
      terminating: metadata.deletionTimestamp !== undefined,
      serviceNamespace,
      firstAnswer: writtenDown ?? firstAnswers.get(metadata.uid ?? ''),
      isRecorded: writtenDown !== undefined,
      holder: serviceNamespace && holderOf(serviceNamespace, found),
      sourceCluster,
      sourceUid: metadata.annotations?.[annotations.sourceUid],
      origin: link.appLine.judge(metadata.annotations?.[annotations.stamp]),
      mayTakeOver: sourceCluster !== undefined && mayTakeOverFrom(sourceCluster),
    };
  }

  /** Another app namespace with the older right to a service namespace: the one that has it, or that was told first. */
  function holderOf(serviceNamespace: string, found: APIServiceNamespace): string | undefined {
    const rivals = sharing(serviceNamespace).filter(({ metadata }) => metadata.uid !== found.metadata.uid);
    const current = map.appNamespaceOf(serviceNamespace);
    if (current === found.metadata.name) return undefined;
    const rival =
      rivals.find(({ metadata }) => metadata.name === current) ?? rivals.find((one) => precedes(one, found));
    return rival?.metadata.name;
  }

  function sharing(serviceNamespace: string): readonly APIServiceNamespace[] {
    return mappings.informer.cache.byIndex('byServiceNamespace', serviceNamespace);
  }

  function appNamespace(name: string): AppNamespace {
    const found = namespaces.informer.cache.get({ name });
    if (found === undefined) return { state: 'absent', deletionSeen: deletionsSeen.has(name), confirmed: false };
    const { uid = '', deletionTimestamp } = found.metadata;
    return { state: deletionTimestamp === undefined ? 'present' : 'terminating', uid };
  }

  async function create(name: string): Promise<void> {
    const metadata = { name, namespace: clusterNamespace, annotations: await marksOf(name) };
    try {
      link.metrics.wrote('control-plane', 'namespaces', 'create');
      const mapping: APIServiceNamespace = { apiVersion, kind: 'APIServiceNamespace', metadata, spec: {} };
      mappings.informer.learn(await mappingClient.create(mapping, { fieldManager }));
      failures.delete(name);
    } catch (error) {
      if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) return void failures.delete(name);
      if (isKubeError(error)) failures.set(name, creationProblem(name, error));
      map.put(name, decide(see(name, undefined, appNamespace(name))).mapping);
      throw error;
    }
  }

  async function mark(name: string, found: APIServiceNamespace | undefined): Promise<void> {
    const { uid, resourceVersion } = found?.metadata ?? {};
    const mapping = map.of(name);
    const answer = mapping.state === 'ready' ? { [annotations.serviceNamespace]: mapping.serviceNamespace } : {};
    const patch = { metadata: { uid, resourceVersion, annotations: { ...(await marksOf(name)), ...answer } } };
    link.metrics.wrote('control-plane', 'namespaces', 'patch');
    const ref = { name, namespace: clusterNamespace };
    mappings.informer.learn(await mappingClient.patch(ref, { type: 'merge', patch }, { fieldManager }));
  }

  /** A stamp says that the Namespace was there when it was taken, so the app cluster is asked for it beside that. */
  async function marksOf(name: string): Promise<Readonly<Record<string, string>>> {
    const [stamp, live] = await Promise.all([link.appLine.reserve(), namespaceClient.find({ name })]);
    if (!live) throw new KubeError('KUBE_CONFLICT', `Namespace ${name} has just been deleted.`);
    return {
      [annotations.sourceCluster]: link.appClusterId,
      [annotations.sourceUid]: live.metadata.uid ?? '',
      ...(stamp ? { [annotations.stamp]: stamp } : {}),
    };
  }

  /**
   * Asks the app cluster itself, and whether it is still the one this link was made for; then, unless somebody saw the
   * deletion or has decided, whether it is in the history in which the mapping got its stamp.
   */
  async function isGone(name: string, mapping: APIServiceNamespace | undefined): Promise<boolean> {
    const timesSetBack = link.appLine.timesSetBack();
    const [system, found] = await Promise.all([
      namespaceClient.find({ name: 'kube-system' }),
      namespaceClient.find({ name }),
    ]);
    if (found !== undefined || system?.metadata.uid !== link.appClusterId) return false;
    if (deletionsSeen.has(name) || link.orphansMayGo()) return true;
    return link.appLine.confirm(mapping?.metadata.annotations?.[annotations.stamp], timesSetBack);
  }

  async function giveUp(name: string, found: APIServiceNamespace | undefined): Promise<void> {
    const uid = found?.metadata.uid;
    link.log.info({ part: 'namespaces', namespace: name }, 'app namespace was deleted, its place is given up');
    try {
      link.metrics.wrote('control-plane', 'namespaces', 'delete');
      await mappingClient.delete({ name, namespace: clusterNamespace }, { preconditions: { uid } });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }

  async function end(): Promise<void> {
    try {
      await controller.stopped;
    } finally {
      mappings.release();
      namespaces.release();
    }
  }
}

/** The service namespace, if the backend has named one. */
function answersOf(mapping: APIServiceNamespace): readonly string[] {
  const answer = mapping.status?.namespace;
  return answer === undefined || answer === '' ? [] : [answer];
}

/** Whether `a` has the older right to a service namespace that both name. */
function precedes({ metadata: a }: APIServiceNamespace, { metadata: b }: APIServiceNamespace): boolean {
  const [first = '', second = ''] = [a.creationTimestamp, b.creationTimestamp];
  return first === second ? (a.name ?? '') < (b.name ?? '') : first < second;
}

function creationProblem(name: string, error: KubeError): string {
  return `A place for namespace ${name} could not be asked for: ${error.message}`;
}

/** The cache knows of the absence before or after the app cluster does; a moment later both agree. */
const confirmMs = 1_000;
