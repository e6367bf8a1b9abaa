import { eventually } from '@klutch/kit';
import type { Client, Received } from './client.ts';
import type { Sent } from './objects.ts';
import { inCluster } from './paths.ts';

/** Paths of CustomResourceDefinitions. */
export const crds = inCluster('apiextensions.k8s.io/v1/customresourcedefinitions');

/** A CustomResourceDefinition, as far as a check cares. */
export interface DefinitionOptions {
  readonly group: string;
  readonly kind: string;
  /** Default `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Schema of the whole object below its properties `apiVersion`, `kind` and `metadata`. Default: anything goes. */
  readonly schema?: object;
  /** Fields added to the only version: `subresources`, `additionalPrinterColumns`, `selectableFields`. */
  readonly version?: object;
  /** All versions, instead of {@link schema} and {@link version}. */
  readonly versions?: readonly object[];
  /** Fields added to `spec.names`. */
  readonly names?: object;
  /** Fields added to `spec`. */
  readonly spec?: object;
}

/** Lets everything through. */
export const anySchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The schema of an object with these properties. */
export function objectOf(properties: object, more: object = {}): object {
  return { type: 'object', properties, ...more };
}

/** The schema of a kind whose `spec` has these properties. */
export function specOf(properties: object, more: object = {}): object {
  return objectOf({ spec: objectOf(properties, more) });
}

/** The definition of a kind with one version `v1`, unless told otherwise. */
export function definition(options: DefinitionOptions): Sent {
  const { group, kind, scope = 'Namespaced', schema = anySchema, version, versions, names, spec } = options;
  const plural = `${kind.toLowerCase()}s`;
  const only = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind, ...names }, versions: versions ?? [only], ...spec },
  };
}

/** Creates a definition and waits until its kind is served for reading, writing and watching. */
export async function install(admin: Client, options: DefinitionOptions): Promise<Received> {
  const sent = definition(options);
  const { status, text } = await admin.post(crds(), sent);
  if (status !== 201) throw new Error(`${String(sent.metadata.name)} is refused: ${text}`);
  return served(admin, String(sent.metadata.name));
}

/** Waits until a definition is established and all its served versions answer. */
export async function served(admin: Client, name: string): Promise<Received> {
  await eventually(async () => isEstablished((await admin.get(crds(name))).body), { what: `${name} is established` });
  const crd = await aged(admin, name);
  const { group, names, versions } = crd.spec as unknown as CrdSpec;
  for (const version of versions.filter((version) => version.served)) {
    const list = `/apis/${group}/${version.name}/${names.plural}`;
    await eventually(async () => (await admin.get(`${list}?limit=1`)).status === 200, { what: `${list} is served` });
  }
  return crd;
}

/**
 * Makes a definition look a day old: Kubernetes lets the first object of a kind wait for two seconds when the kind was
 * established only just now, which adds up to minutes.
 */
async function aged(admin: Client, name: string): Promise<Received> {
  const lastTransitionTime = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const { body } = await admin.get(crds(name));
  const conditions = conditionsOf(body).map((condition) => ({ ...condition, lastTransitionTime }));
  return (await admin.patch('merge', `${crds(name)}/status`, { status: { conditions } })).body;
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

function isEstablished(crd: Received): boolean {
  return conditionsOf(crd).some(({ type, status }) => type === 'Established' && status === 'True');
}

function conditionsOf({ status }: Received): readonly Condition[] {
  return (status?.conditions ?? []) as readonly Condition[];
}
