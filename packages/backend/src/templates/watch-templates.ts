import {
  AnyninesAPIServiceExportTemplates,
  type AnyninesAPIServiceExportTemplate,
  anyninesAPIServiceExportTemplateCrd,
  apiName,
  APIServiceExportTemplates,
  type APIServiceExportTemplate,
  apiServiceExportTemplateCrd,
  type CustomResourceDefinition,
  offeredApi,
} from '@klutch/api';
import type { Change, Informer, InformerShare, ResourceType, SharedInformers } from '@klutch/kube';
import { readTemplate, type Template } from './offers.ts';

/** The templates of all groups that the control plane knows. */
export interface WatchedTemplates {
  /** Templates for the API of that name. */
  of(name: string): readonly Template[];
  /** Names of all APIs for which there is a template. */
  names(): ReadonlySet<string>;
  /**
   * Whether what `of` says is all there is: each group that has been followed is, and has synced. A group whose CRD is
   * deleted may come back with its templates, so its absence proves nothing.
   */
  isReadable(): boolean;
  /** Resolves when all templates there are have been read once. */
  synced(): Promise<void>;
  stop(): void;
}

/**
 * Follows the templates of each group for as long as its CRD is there: a group that is not installed costs nothing, and
 * is noticed when it comes.
 */
export function watchTemplates(
  informers: SharedInformers,
  crds: Informer<CustomResourceDefinition>,
  changed: (names: readonly string[]) => void,
): WatchedTemplates {
  const open = new Map<string, Group>();
  /** Names of the CRDs of groups that were followed, now or before. */
  const known = new Set<string>();

  const unsubscribe = crds.subscribe((change) => {
    const type = templateTypes.get(change.key);
    if (type === undefined) return;
    if (change.type === 'deleted') close(change.key);
    else if (isEstablished(change.object) && !open.has(change.key)) open.set(change.key, follow(change.key, type));
  });

  function follow(crd: string, type: ResourceType<AnyTemplate>): Group {
    known.add(crd);
    const share = informers.acquire({ type, indexes: { byApi: namesOf } });
    const end = share.informer.subscribe((change) => changed(touched(change)));
    return { share, end };
  }

  function close(crd: string): void {
    const group = open.get(crd);
    if (group === undefined) return;
    open.delete(crd);
    group.end();
    group.share.release();
    changed([...group.share.informer.cache.values()].flatMap(namesOf));
  }

  return {
    of: (name) =>
      [...open.values()].flatMap(({ share }) =>
        share.informer.cache.byIndex('byApi', name).flatMap((template) => readTemplate(template) ?? []),
      ),
    names: () =>
      new Set([...open.values()].flatMap(({ share }) => [...share.informer.cache.values()].flatMap(namesOf))),
    isReadable: () => known.size > 0 && [...known].every((crd) => isFollowed(open.get(crd))),
    // One whose group is taken away meanwhile has nothing to tell.
    synced: async () => void (await Promise.allSettled([...open.values()].map(({ share }) => share.informer.synced))),
    stop: () => {
      unsubscribe();
      for (const crd of open.keys()) close(crd);
    },
  };
}

type AnyTemplate = APIServiceExportTemplate | AnyninesAPIServiceExportTemplate;

interface Group {
  readonly share: InformerShare<AnyTemplate>;
  readonly end: () => void;
}

function isFollowed(group: Group | undefined): boolean {
  return group?.share.informer.hasSynced === true && group.share.informer.problem === undefined;
}

/** By the name of the CRD. */
const templateTypes: ReadonlyMap<string, ResourceType<AnyTemplate>> = new Map<string, ResourceType<AnyTemplate>>([
  [apiServiceExportTemplateCrd.metadata.name ?? '', APIServiceExportTemplates],
  [anyninesAPIServiceExportTemplateCrd.metadata.name ?? '', AnyninesAPIServiceExportTemplates],
]);

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
}

function namesOf(template: AnyTemplate): readonly string[] {
  const api = offeredApi(template);
  return api ? [apiName(api)] : [];
}

function touched(change: Change<AnyTemplate>): readonly string[] {
  return [...namesOf(change.object), ...(change.type === 'updated' ? namesOf(change.old) : [])];
}
