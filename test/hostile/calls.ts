import { createDiscovery, type KubeClient, type KubeRequest, type ServedResource } from '@klutch/kube';

/** One thing that a hostile tenant tries. */
export interface Call {
  /** How the list of allowed calls names it: `<place> <verb> <resource>[/<subresource>][.<group>]`. */
  readonly title: string;
  readonly request: KubeRequest;
}

/** Where to try: a name for the list, and the namespace; undefined is the whole cluster. */
export interface Place {
  readonly name: string;
  readonly namespace?: string;
}

const collectionVerbs = ['list', 'watch', 'create', 'deletecollection'] as const;
const objectVerbs = ['get', 'update', 'patch', 'delete'] as const;
type Verb = (typeof collectionVerbs)[number] | (typeof objectVerbs)[number];

/** By plural name of a resource: fields without which the server would refuse an object before it asks who sent it. */
export type Fields = Readonly<Record<string, object>>;

/**
 * Every verb on every resource and subresource that the server announces, in every place. Nothing is changed by them:
 * writes are dry runs of the object {@link nobody}, or of bodies that are no objects.
 */
export async function allCalls(admin: KubeClient, places: readonly Place[], fields: Fields = {}): Promise<Call[]> {
  const resources = await createDiscovery(admin.transport).all();
  return places.flatMap((place) => [
    ...resources.filter((resource) => fits(resource, place)).flatMap((resource) => callsOn(resource, place, fields)),
    ...onItself(place),
  ]);
}

/** The namespace as an object, to which the rights within it apply, too. */
function onItself({ name, namespace }: Place): Call[] {
  if (namespace === undefined) return [];
  return objectVerbs.map((verb) => {
    const call = callOf(namespaces, { name }, verb, undefined, {});
    return {
      title: `${name} ${verb} namespaces (itself)`,
      request: { ...call.request, path: call.request.path.replace(nobody, namespace) },
    };
  });
}

const namespaces: ServedResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  singular: 'namespace',
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: [],
};

/** A namespaced resource is tried in the namespace, and for list and watch in all of them; others in the cluster only. */
function fits(resource: ServedResource, place: Place): boolean {
  return resource.namespaced || place.namespace === undefined;
}

function callsOn(resource: ServedResource, place: Place, fields: Fields): Call[] {
  const spansNamespaces = resource.namespaced && place.namespace === undefined;
  const verbs: readonly Verb[] = spansNamespaces ? ['list', 'watch'] : [...collectionVerbs, ...objectVerbs];
  const calls = verbs.map((verb) => callOf(resource, place, verb, undefined, fields));
  if (spansNamespaces) return calls;
  const subresources = resource.subresources.flatMap((subresource) =>
    (['get', 'update', 'patch', 'create'] as const).map((verb) => callOf(resource, place, verb, subresource, {})),
  );
  return [...calls, ...subresources];
}

const methods = {
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  deletecollection: 'DELETE',
  get: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
} as const satisfies Record<Verb, KubeRequest['method']>;

function callOf(
  resource: ServedResource,
  place: Place,
  verb: Verb,
  subresource: string | undefined,
  fields: Fields,
): Call {
  const { group, version, plural } = resource;
  const what = `${subresource ? `${plural}/${subresource}` : plural}${group ? `.${group}` : ''}`;
  const base = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const scope = place.namespace === undefined ? '' : `/namespaces/${place.namespace}`;
  const isOfCollection = (collectionVerbs as readonly string[]).includes(verb) && subresource === undefined;
  const object = isOfCollection ? '' : `/${nobody}${subresource ? `/${subresource}` : ''}`;
  const method = methods[verb];
  return {
    title: `${place.name} ${verb} ${what}`,
    request: {
      method,
      path: `${base}${scope}/${plural}${object}${queryOf(verb)}`,
      headers: headersOf(verb),
      body: method === 'GET' || method === 'DELETE' ? undefined : bodyOf(verb, resource, place, fields),
      mode: 'call',
      timeoutMs: 10_000,
      about: { verb, resource: what, object: nobody },
    },
  };
}

/** The object that is tried; it does not exist unless a test makes it. */
export const nobody = 'klutch-hostile';

function queryOf(verb: Verb): string {
  if (verb === 'watch') return '?watch=true&timeoutSeconds=1&resourceVersion=0';
  if (verb === 'list') return '?limit=1';
  return verb === 'get' ? '' : '?dryRun=All';
}

function headersOf(verb: Verb): Record<string, string> {
  if (verb === 'patch') return { 'content-type': 'application/merge-patch+json' };
  return verb === 'create' || verb === 'update' ? { 'content-type': 'application/json' } : {};
}

function bodyOf(
  verb: Verb,
  { group, version, kind, plural }: ServedResource,
  { namespace }: Place,
  fields: Fields,
): string {
  if (verb === 'patch') return JSON.stringify({ metadata: { labels: { x: 'y' } } });
  const apiVersion = group ? `${group}/${version}` : version;
  const metadata = { name: nobody, ...(namespace === undefined ? {} : { namespace }) };
  return JSON.stringify({ apiVersion, kind, metadata, ...fields[plural] });
}
