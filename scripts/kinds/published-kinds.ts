import { isServed, isServedSubresource } from './served-kinds.ts';

/** A resource type as discovery publishes it, with its API, its subresources and the name of its schema. */
interface PublishedResource {
  readonly group: string;
  readonly version: string;
  readonly type: string;
  readonly name: string;
  readonly subresources?: readonly object[];
}

/** What a kube-apiserver publishes of the kinds that are served here. */
export interface PublishedKinds {
  readonly resources: readonly PublishedResource[];
  /** Schemas of the kinds and their lists, with all they refer to, by name; without descriptions. */
  readonly schemas: ReadonlyMap<string, object>;
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly storageVersionHash?: string;
}

interface Schema {
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

type Schemas = Readonly<Record<string, Schema>>;

/** Schemas of what is exchanged besides objects and lists. */
const SHARED = [
  ...['ObjectMeta', 'ListMeta', 'Patch', 'DeleteOptions', 'Status'].map(
    (name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`,
  ),
  'io.k8s.api.autoscaling.v1.Scale',
  'io.k8s.api.authentication.v1.TokenRequest',
];

/** Asks a kube-apiserver for its kinds. @param body answers the body at a path */
export async function publishedKinds(body: (path: string) => Promise<unknown>): Promise<PublishedKinds> {
  // The list of documents says that it is text.
  const get = async (path: string) => {
    const answer = await body(path);
    return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : answer;
  };
  const { paths } = (await get('/openapi/v3')) as { paths: Record<string, { serverRelativeURL: string }> };
  const schemas: Record<string, Schema> = {};
  const resources: PublishedResource[] = [];
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    const [, group = '', version] = /^(?:api|apis\/([^/]+))\/(v\d+)$/.exec(path) ?? [];
    // Groups of definitions come and go.
    if (version === undefined || !isBuiltIn(group)) continue;
    const { components } = (await get(serverRelativeURL)) as { components: { schemas: Schemas } };
    const discovery = (await get(`/${path}`)) as { resources: readonly ApiResource[] };
    const served = resourcesOf(group, version, discovery.resources, components.schemas);
    resources.push(...served);
    if (served.length > 0) Object.assign(schemas, components.schemas);
  }
  const lists = resources.map(({ type }) => `${type}List`).filter((name) => name in schemas);
  const roots = [...resources.map(({ type }) => type), ...lists, ...SHARED];
  const inUse = withReferences(roots, schemas);
  return {
    resources: resources.sort((a, b) => inOrder(keyOf(a), keyOf(b))),
    schemas: new Map([...inUse].sort(inOrder).map((name) => [name, withoutProse(schemas[name] ?? {})])),
  };
}

/** Names under `k8s.io` belong to Kubernetes; definitions must have a dot in theirs. */
function isBuiltIn(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Sentences stay with those who wrote them. A field that is called `description` is a schema, not a text. */
function withoutProse(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  ) as object;
}

function resourcesOf(
  group: string,
  version: string,
  listed: readonly ApiResource[],
  schemas: Schemas,
): PublishedResource[] {
  return listed
    .filter(({ name }) => !name.includes('/') && isServed(group, version, name))
    .map(({ storageVersionHash: _hash, ...resource }) => {
      const parts = listed.filter(({ name }) => name.startsWith(`${resource.name}/`) && isServedSubresource(name));
      const subresources = parts.map(({ name, ...part }) => ({ name: name.slice(resource.name.length + 1), ...part }));
      const type = nameOfKind(schemas, { group, version, kind: resource.kind });
      return { group, version, type, ...resource, ...(subresources.length > 0 ? { subresources } : {}) };
    });
}

function nameOfKind(
  schemas: Schemas,
  { group, version, kind }: { group: string; version: string; kind: string },
): string {
  const found = Object.entries(schemas).find(([, schema]) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (one) => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  if (!found) throw new Error(`no schema of ${kind} in ${group}/${version} is published`);
  return found[0];
}

function withReferences(roots: readonly string[], schemas: Schemas): ReadonlySet<string> {
  const found = new Set(roots);
  for (const name of found) {
    const text = JSON.stringify(schemas[name] ?? {});
    for (const [, reference = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) found.add(reference);
  }
  return found;
}

function keyOf({ group, version, name }: PublishedResource): string {
  return `${group}/${version}/${name}`;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
