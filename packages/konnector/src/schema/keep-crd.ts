import {
  annotations,
  type APIServiceBinding,
  APIServiceBindings,
  type ConditionState,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from '@klutch/api';
import { type Informer, isKubeError, type KubeError, type ReconcileContext } from '@klutch/kube';
import type { BindingsOfLink } from '../bindings/bindings-of-link.ts';
import type { BoundApi } from '../instances/bound-api.ts';
import type { Link } from '../link/link.ts';
import { forbidden, refused, type SchemaConditions } from './conditions.ts';
import { bindingOwnerOf } from './crd-ownership.ts';
import { crdStampOf, crdStampPatch } from './crd-stamp.ts';
import { type Decision, decide, type Seen } from './decide.ts';
import { apiDigest } from './exported-api.ts';

/** What came of keeping a CRD. */
export interface Kept {
  readonly conditions: SchemaConditions;
  readonly api: BoundApi | undefined;
  /** The CRD, if it is the binding's. */
  readonly crd: CustomResourceDefinition | undefined;
  /** When to try again although nothing changed. */
  readonly retryAfterMs?: number;
}

export interface CrdKeeper {
  /** Brings the CRD of a binding to its export; throws when trying again soon may help. */
  keep(
    known: Pick<Seen, 'binding' | 'apiExport'> & {
      /** Of the CRD; it learns what the server answers. */
      readonly informer: Pick<Informer<CustomResourceDefinition>, 'cache' | 'learn' | 'learnGone'>;
    },
    context: Pick<ReconcileContext, 'signal'>,
  ): Promise<Kept>;
  /** No binding of that name is left. */
  forget(name: string): void;
}

/** @param bindingsIn where the bindings live */
export function createCrdKeeper(link: Link, bindings: BindingsOfLink, bindingsIn: 'app' | 'control-plane'): CrdKeeper {
  const client = link.app.client.resource(CustomResourceDefinitions);
  /** What was last said of the schema to the binding that keeps the CRD. */
  const said = new Map<string, { readonly uid: string; readonly state: ConditionState | undefined }>();
  const settled = new Map<string, { readonly wanted: string; readonly got: string }>();
  const tenant = `${link.tenant.clusterNamespace}/${link.tenant.uid}`;
  const home = bindingsIn === 'app' ? link.appClusterId : link.tenant.uid;

  async function keep(
    { binding, apiExport, informer }: Parameters<CrdKeeper['keep']>[0],
    { signal }: Pick<ReconcileContext, 'signal'>,
  ): Promise<Kept> {
    const name = binding.metadata.name ?? '';
    const uid = binding.metadata.uid ?? '';
    let isLive = false;
    let crd = informer.cache.get({ name });
    for (let writes = 0; ; ) {
      const decision = decide({ ...(await facts()), settled: settled.get(name), said: lastSaid() });
      const { write } = decision;
      // An answer that still differs was changed on its way in; the next event brings another try.
      if (write === undefined || writes === mostWrites) {
        if (decision.isOwn) await stamp();
        return conclude(decision);
      }
      if (!isLive) {
        // No write follows from a cache that may lag behind.
        await look();
        continue;
      }
      writes += 1;
      try {
        link.metrics.wrote('app', 'schema', write.type);
        crd = await client[write.type](write.crd, { signal });
      } catch (error) {
        if (!isKubeError(error, 'KUBE_INVALID', 'KUBE_FORBIDDEN')) throw error;
        const kept = conclude(decision);
        const conditions = isRightMissing(error) ? forbidden(name, error) : refused(write.type, name, error.message);
        return { ...kept, conditions, retryAfterMs: refusedRetryMs };
      }
      informer.learn(crd);
      if (apiDigest(write.crd.spec) === write.digest) {
        settled.set(name, { wanted: write.digest, got: apiDigest(crd.spec) });
      }
      say(decision);
    }

    function lastSaid(): ConditionState | undefined {
      const last = said.get(name);
      return last?.uid === uid ? last.state : undefined;
    }

    function say({ conditions }: Decision): void {
      said.set(name, { uid, state: conditions.SchemaCompatible ?? undefined });
    }

    /** Lets a CRD say since when it is there: originals may have gone with the one before it. */
    async function stamp(): Promise<void> {
      if (crd === undefined || crd.metadata.deletionTimestamp !== undefined || crdStampOf(crd) !== undefined) return;
      if (!isLive) await look();
      const text = await link.appLine.reserve();
      if (crd === undefined || crdStampOf(crd) !== undefined || text === undefined) return;
      link.metrics.wrote('app', 'schema', 'patch');
      crd = await client.patch({ name }, { type: 'merge', patch: crdStampPatch(crd, text) }, { signal });
      informer.learn(crd);
    }

    async function look(): Promise<void> {
      const live = await client.find({ name }, { signal });
      if (live) informer.learn(live);
      else informer.learnGone({ name }, crd?.metadata.uid);
      crd = live;
      isLive = true;
    }

    async function facts(): Promise<Seen> {
      const ownerIsGone = crd !== undefined && (await isOwnerGone(crd, binding, signal));
      return { binding, apiExport, crd, ownerIsGone, tenant, home };
    }

    function conclude(decision: Decision): Kept {
      const { conditions, api, isOwn } = decision;
      say(decision);
      return { conditions, api, crd: isOwn ? crd : undefined };
    }
  }

  /** Whether the binding that a CRD belongs to by name exists no more. Asked of the server, since much hangs on it. */
  async function isOwnerGone(
    crd: CustomResourceDefinition,
    binding: APIServiceBinding,
    signal: AbortSignal,
  ): Promise<boolean> {
    const owner = bindingOwnerOf(crd);
    if (owner === undefined || owner.uid === binding.metadata.uid || owner.name !== binding.metadata.name) return false;
    if (bindings.list().some(({ metadata }) => metadata.uid === owner.uid)) return false;
    // There is one place for a tenant's binding of that name, and this binding is in it.
    if (bindingsIn === 'control-plane') return crd.metadata.annotations?.[annotations.tenant] === tenant;
    const { items } = await link.app.client
      .resource(APIServiceBindings)
      .list({ fieldSelector: `metadata.name=${owner.name}`, signal });
    return items.every(({ metadata }) => metadata.uid !== owner.uid);
  }

  return {
    keep,
    forget: (name) => {
      settled.delete(name);
      said.delete(name);
    },
  };
}

/** Also admission answers with 403; only of RBAC it is known which right would help. */
function isRightMissing(error: KubeError): boolean {
  return isKubeError(error, 'KUBE_FORBIDDEN') && /cannot \w+ resource/.test(error.body?.message ?? '');
}

const mostWrites = 2;
const refusedRetryMs = 60_000;
