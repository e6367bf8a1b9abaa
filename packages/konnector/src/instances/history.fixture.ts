import { annotations } from '@klutch/api';
import { type Change, KubeError, keyOf, type ResourceType, silentLogger, type UnknownObject } from '@klutch/kube';
import type { KeptLine } from '../epoch/line.ts';
import { renderStamp } from '../epoch/mark.ts';
import { createMemoryLine, type MarkStore } from '../epoch/memory-line.fixture.ts';
import { marksOf, standingOf } from '../ownership/marks.ts';
import { createPlacement } from '../ownership/placement.ts';
import { noMetrics } from '../process/metrics.ts';
import type { BoundApi } from './bound-api.ts';
import { createBreaker } from './breaker.ts';
import { createInventory } from './inventory.ts';
import { createMemory, type Memory } from './memory.ts';
import { defaultMetadataRules } from './metadata-rules.ts';
import { LaggingCache, ModelCluster } from './model-cluster.fixture.ts';
import { createReconciler, type Reconciler } from './reconcile.ts';
import { createTroubles, type Troubles } from './summary.ts';
import { createWritten } from './written.ts';

const Widgets: ResourceType = {
  group: 'example.org',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
};
const tenant = { clusterNamespace: 'tenant', uid: 'tenant-uid' };
const appClusterId = 'this-cluster';

/** Chance in [0, 1), so that a history can be repeated. */
export type Chance = () => number;

/** Two clusters, a konnector between them that may die at any moment, and everybody else who has access. */
export class World {
  readonly app: ModelCluster;
  readonly above: ModelCluster;
  readonly api: BoundApi = {
    binding: { name: 'widgets.example.org', uid: 'b' },
    name: 'widgets.example.org',
    appType: Widgets,
    controlPlaneType: Widgets,
    isolation: 'ServiceNamespace',
    informerScope: 'Namespaced',
    statusSubresource: true,
    statusConditions: true,
    orphans: 'Hold',
  };
  /** What must never happen, and did. */
  readonly violations: string[] = [];
  /** UIDs of originals that went only because their CRD did. */
  readonly victims = new Set<string>();
  /** Keys of originals that the user deleted at some time. */
  readonly deletedByUser = new Set<string>();
  /** Fields of copies that others have set, as `<uid of the copy> <field>`. */
  readonly foreignFields = new Set<string>();
  /** Where the app cluster keeps its mark. */
  readonly marks: MarkStore = {};
  crd = { isAvailable: true, created: '', stamp: '' };
  now = 0;
  /** Share of requests that fail. */
  faultRate = 0;
  /** Something that happens between two requests. */
  meanwhile: () => void = () => {};
  readonly #chance: Chance;
  #process: Process;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.app = new ModelCluster(Widgets, 'app', this.date);
    this.above = new ModelCluster(Widgets, 'above', this.date);
    this.crd.created = this.date().toISOString();
    this.crd.stamp = this.#stamp(createMemoryLine(this.marks));
    this.now += 2_000;
    for (const cluster of [this.app, this.above]) {
      cluster.before = () => {
        this.meanwhile();
        if (this.#chance() < this.faultRate) throw cut;
      };
      cluster.after = () => {
        if (this.#chance() < this.faultRate) throw cut;
      };
    }
    this.app.isServed = () => this.crd.isAvailable;
    this.above.onDelete = (copy) => this.#judge(copy);
    this.#process = this.#start();
  }

  readonly date = () => new Date(Date.UTC(2026, 0, 1) + this.now);

  get troubles(): Troubles {
    return this.#process.troubles;
  }

  get memory(): Memory {
    return this.#process.memory;
  }

  get queued(): number {
    return this.#process.queue.size;
  }

  /** The konnector dies and starts again with nothing but what the clusters show. */
  restart(): void {
    this.#process = this.#start();
  }

  deliver(side: 'app' | 'above'): void {
    this.#process[side].step();
  }

  relist(side: 'app' | 'above'): void {
    this.#process[side].relist(false);
  }

  /** Lets one queued key be reconciled; one that fails is queued again. */
  async work(): Promise<void> {
    const process = this.#process;
    const keys = [...process.queue];
    const key = keys[Math.floor(this.#chance() * keys.length)];
    if (key === undefined) return;
    process.queue.delete(key);
    const context = { signal: new AbortController().signal, log: silentLogger, reconcileId: '', attempt: 1 };
    try {
      const result = await process.reconciler.reconcile(key, context);
      if (result) process.later.set(key, this.now + result.requeueAfter);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      process.later.set(key, this.now + 100);
    }
  }

  advance(ms: number): void {
    this.now += ms;
    for (const [key, at] of this.#process.later) {
      if (at > this.now) continue;
      this.#process.later.delete(key);
      this.#process.queue.add(key);
    }
  }

  /** Everything is delivered and worked off, and some time passes. */
  async settle(): Promise<void> {
    for (let round = 0; round < 60; round++) {
      for (let left = 2_000; left > 0 && this.#isBusy(); left--) {
        this.#process.app.step();
        this.#process.above.step();
        await this.work();
      }
      if (this.#isBusy()) throw new Error('does not come to rest');
      this.advance(1_000);
    }
  }

  /** Looks at every key once more and tells what was written. */
  async writesAtRest(): Promise<readonly string[]> {
    this.app.requests = [];
    this.above.requests = [];
    for (const key of this.app.objects.keys()) this.#process.queue.add(key);
    await this.settle();
    return [...this.app.requests, ...this.above.requests];
  }

  deleteCrd(): void {
    if (!this.crd.isAvailable) return;
    this.crd = { ...this.crd, isAvailable: false };
    for (const [key, object] of this.app.objects) {
      if (object.metadata.deletionTimestamp === undefined) this.victims.add(object.metadata.uid ?? '');
      this.app.remove(key);
    }
  }

  createCrd(): void {
    if (this.crd.isAvailable || this.app.objects.size > 0) return;
    this.now += 2_000;
    this.crd = { isAvailable: true, created: this.date().toISOString(), stamp: this.#stamp(this.#process.line) };
    this.now += 2_000;
  }

  /** As the konnector takes one for a CRD. */
  #stamp(line: KeptLine): string {
    const mark = line.next(this.marks.mark, true);
    this.marks.mark = mark;
    line.wrote(mark);
    return renderStamp(mark);
  }

  #isBusy(): boolean {
    return this.#process.queue.size > 0 || this.#process.app.isBehind || this.#process.above.isBehind;
  }

  /** A copy may only be deleted when its original is gone or going, and by the will of somebody. */
  #judge(copy: UnknownObject): void {
    const { sourceUid, sourceCluster, tenant: owner } = marksOf(copy);
    const key = `a/${copy.metadata.name}`;
    const original = this.app.objects.get(key);
    const isAlive = original !== undefined && original.metadata.deletionTimestamp === undefined;
    if (owner !== undefined && owner !== tenant.clusterNamespace) this.violations.push(`foreign tenant: ${key}`);
    if (sourceCluster !== undefined && sourceCluster !== appClusterId) this.violations.push(`foreign cluster: ${key}`);
    if (isAlive && (sourceUid === undefined || sourceUid === original.metadata.uid)) {
      this.violations.push(`original lives: ${key}`);
    }
    if (sourceUid !== undefined && this.victims.has(sourceUid)) this.violations.push(`only its CRD went: ${key}`);
    if (sourceCluster === undefined && original === undefined && !this.deletedByUser.has(key)) {
      this.violations.push(`unknown origin: ${key}`);
    }
  }

  #start(): Process {
    const queue = new Set<string>();
    const later = new Map<string, number>();
    const memory = createMemory();
    const breaker = createBreaker();
    const troubles = createTroubles();
    const inventory = createInventory();
    const clock = { now: () => this.now, date: this.date, after: () => () => {} };
    const placement = createPlacement({
      isolation: 'ServiceNamespace',
      tenant: tenant.clusterNamespace,
      namespaces: {
        of: (name) => (name === 'a' ? { state: 'ready', serviceNamespace: 'svc' } : { state: 'unknown' }),
        appNamespaceOf: (name) => (name === 'svc' ? 'a' : undefined),
      },
    });
    const copyChanged = (change: Change<UnknownObject>, isFirst: boolean) => {
      const { object } = change;
      const claimant = { tenant: tenant.clusterNamespace, appClusterId };
      if (change.type === 'deleted') inventory.delete(object);
      else inventory.put(object, standingOf(marksOf(object), claimant, 'own'));
      const original = placement.originalOf(object);
      if (original) process.reconciler.copyChanged(keyOf(original), change, isFirst);
    };
    const line = createMemoryLine(this.marks);
    const { created: firstCrd } = this.crd;
    const reconciler = createReconciler({
      link: { tenant, appClusterId, appLine: line, events: silentEvents, clock },
      api: () => this.api,
      metadata: defaultMetadataRules,
      placement,
      views: {
        app: (key) => cloned(process.app.objects.get(key)),
        hasApp: (key) => cloned(process.app.objects.get(key)) !== undefined,
        isFollowingApp: () => true,
        copy: (ref) => ({ state: 'known', object: cloned(process.above.objects.get(keyOf(ref))) }),
        isFollowingCopy: () => true,
        copies: () => inventory.own,
      },
      hands: {
        app: this.app.client(),
        controlPlane: this.above.client(),
        statusSubresource: true,
        crd: async () => ({ ...this.crd, isFirst: this.crd.created === firstCrd }),
        line,
        memory,
        writtenApp: createWritten(clock),
        writtenCopies: createWritten(clock),
        metrics: noMetrics,
        now: () => this.now,
      },
      breaker,
      troubles,
      want: () => {},
      enqueue: (key) => void queue.add(key),
    });
    const process: Process = {
      line,
      queue,
      later,
      memory,
      troubles,
      reconciler,
      app: new LaggingCache(this.app, (change) => reconciler.appChanged(change)),
      above: new LaggingCache(this.above, copyChanged),
    };
    process.app.relist(true);
    process.above.relist(true);
    return process;
  }
}

interface Process {
  readonly line: KeptLine;
  readonly queue: Set<string>;
  readonly later: Map<string, number>;
  readonly memory: Memory;
  readonly troubles: Troubles;
  readonly reconciler: Reconciler;
  readonly app: LaggingCache;
  readonly above: LaggingCache;
}

const cut = new KubeError('KUBE_UNREACHABLE', 'The connection broke (injected fault).', { reason: 'ECONNRESET' });

const silentEvents = { event: () => {}, flush: async () => {}, stopped: Promise.resolve() };

function cloned(object: UnknownObject | undefined): UnknownObject | undefined {
  return object && structuredClone(object);
}

/** The annotation that tells whose a copy is, for objects of others. */
export function marked(sourceCluster: string): object {
  return {
    annotations: {
      [annotations.bound]: 'true',
      [annotations.sourceCluster]: sourceCluster,
      [annotations.sourceUid]: 'x',
    },
  };
}
