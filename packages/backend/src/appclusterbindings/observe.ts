import {
  APIServiceBindings,
  APIServiceExportRequests,
  APIServiceExports,
  type AppClusterBinding,
  AppClusterBindings,
  apiName,
  ClusterBindings,
  controlPlane,
  goBindingRootNamespaceName,
  labels,
} from '@klutch/api';
import {
  type Informer,
  type InformerShare,
  informerSource,
  keyOf,
  type KubeObject,
  type Namespace,
  Namespaces,
  type ObjectRef,
  type ResourceType,
  type SharedInformers,
  type SharedQuery,
  type Source,
} from '@klutch/kube';
import { RoleBindings, Roles } from '../objects/rbac.ts';
import { ServiceAccounts } from '../objects/service-account.ts';
import type { Catalogue } from '../templates/catalogue.ts';
import { tenantOf } from '../templates/tenant-of.ts';
import { type BindingRef, bindingKeyOf, type StoredBinding } from './binding-labels.ts';
import type { ExportsSeen } from './decide-exports.ts';
import { chooseRoot, type Root, rootNamespaceName } from './root-namespace.ts';

/** What caches know of bindings and of what belongs to them. */
export interface View {
  /** Enqueue the keys of bindings when something changed that concerns them. */
  readonly sources: readonly Source[];
  binding(key: string): StoredBinding | undefined;
  /** Keys of the bindings that list the API of that name. */
  bindingsWith(api: string): readonly string[];
  /** Whether the namespace of a binding is in the cache. */
  knowsNamespace(binding: BindingRef): boolean;
  /** Name of the tenant that a namespace with bindings belongs to. */
  tenantName(binding: BindingRef): string | undefined;
  root(binding: BindingRef): Root;
  namespaces(): Iterable<Namespace>;
  /** An object that carries the labels of a binding, of the types that can be read in all namespaces. */
  find<T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef): T | undefined;
  exports(binding: StoredBinding, root: string): ExportsSeen;
  /** Ends it. */
  release(): void;
}

/** Begins to follow what concerns bindings. */
export function observe(informers: SharedInformers, catalogue: Catalogue): View {
  const shares: InformerShare<never>[] = [];
  const follow = <T extends KubeObject>(query: SharedQuery<T>): Informer<T> => {
    const share = informers.acquire(query);
    shares.push(share as unknown as InformerShare<never>);
    return share.informer;
  };
  const bindings = follow({ type: AppClusterBindings });
  const namespaces = follow({ type: Namespaces, metadataOnly: true });
  const clusterBindings = follow({ type: ClusterBindings });
  const inNamespace = <T extends KubeObject>(type: ResourceType<T>) =>
    follow({ type, indexes: { byNamespace: namespaceOf } });
  const apiBindings = inNamespace(APIServiceBindings);
  const exports = inNamespace(APIServiceExports);
  const requests = inNamespace(APIServiceExportRequests);
  const labelled = <T extends KubeObject>(type: ResourceType<T>) =>
    follow({ type, labelSelector: labels.appClusterBindingName });
  const derived = new Map<string, Informer<KubeObject>>(
    [ServiceAccounts, Roles, RoleBindings].map((type) => [type.kind, labelled<KubeObject>(type)]),
  );
  derived.set(ClusterBindings.kind, clusterBindings);

  const labelOf = (object: KubeObject) => [bindingKeyOf(object) ?? []].flat();
  const rootKeys = (name: string) =>
    [...bindings.cache.values()].filter((one) => isRootName(name, one)).map(keyOfBinding);
  const inRoot = ({ metadata }: KubeObject) => {
    const root = namespaces.cache.get({ name: metadata.namespace ?? '' });
    return root ? labelOf(root) : [];
  };

  return {
    sources: [
      informerSource(bindings),
      informerSource(namespaces, (namespace) => [
        ...labelOf(namespace),
        ...rootKeys(namespace.metadata.name ?? ''),
        ...[...bindings.cache.keys()].filter((key) => key.startsWith(`${namespace.metadata.name}/`)),
      ]),
      ...[...derived.values()].map((informer) => informerSource<KubeObject>(informer, labelOf)),
      ...[apiBindings, exports, requests].map((informer) =>
        informerSource(informer as unknown as Informer<KubeObject>, (object) => [
          ...labelOf(object),
          ...inRoot(object),
        ]),
      ),
    ],
    binding: (key) => bindings.cache.getByKey(key) as StoredBinding | undefined,
    bindingsWith: (name) =>
      [...bindings.cache.values()]
        .filter(({ spec }) => spec.apiExports?.some((api) => apiName(api) === name))
        .map(keyOfBinding),
    knowsNamespace: ({ namespace }) => namespaces.cache.get({ name: namespace }) !== undefined,
    tenantName: ({ namespace }) => {
      const found = namespaces.cache.get({ name: namespace });
      return found && tenantOf(found)?.name;
    },
    root: (binding) => {
      const goName = goBindingRootNamespaceName(binding);
      return chooseRoot(binding, {
        own: namespaces.cache.get({ name: rootNamespaceName(binding) }),
        go: namespaces.cache.get({ name: goName }),
        goClusterBinding: clusterBindings.cache.get({ namespace: goName, name: controlPlane.clusterBinding }),
      });
    },
    namespaces: () => namespaces.cache.values(),
    find: <T extends KubeObject>(type: ResourceType<T>, ref: ObjectRef) =>
      derived.get(type.kind)?.cache.get(ref) as T | undefined,
    exports: (binding, root) => ({
      offers: offersFor(binding, catalogue, namespaces.cache.get({ name: root })),
      bindings: apiBindings.cache.byIndex('byNamespace', root),
      exports: exports.cache.byIndex('byNamespace', root),
      requests: requests.cache.byIndex('byNamespace', root),
    }),
    release: () => {
      for (const share of shares) share.release();
    },
  };
}

function offersFor(binding: StoredBinding, catalogue: Catalogue, root: Namespace | undefined): ExportsSeen['offers'] {
  // The root namespace is what export requests are judged by, too.
  const tenant = root && tenantOf(root);
  return new Map((binding.spec.apiExports ?? []).map((api) => [apiName(api), catalogue.find(api, tenant)]));
}

function isRootName(name: string, { metadata }: AppClusterBinding): boolean {
  const ref = { name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
  return name === rootNamespaceName(ref) || name === goBindingRootNamespaceName(ref);
}

function keyOfBinding({ metadata }: AppClusterBinding): string {
  return keyOf({ name: metadata.name ?? '', namespace: metadata.namespace });
}

function namespaceOf({ metadata }: KubeObject): readonly string[] {
  return [metadata.namespace ?? ''];
}
