import { KubeError } from '../errors/kube-error.ts';
import type { ClusterConfig } from './cluster-config.ts';
import type { ConfigFile, ContextEntry } from './config-file.ts';
import type { Field } from './fields.ts';
import type { FileReference } from './file-reference.ts';
import { invalidField } from './place.ts';
import { resolveCluster } from './resolve-cluster.ts';
import { resolveUser } from './resolve-user.ts';

/** A context, checked and ready to use, with the files it depends on. */
export interface Resolved {
  readonly config: ClusterConfig;
  readonly files: readonly FileReference[];
}

/** Entries of the same kubeconfig to use in place of those a context names. */
export interface OtherEntries {
  readonly cluster?: string;
  readonly user?: string;
}

/**
 * Resolves one context of a kubeconfig, the current one unless `contextName` is given. Reads no file. Throws
 * `KUBE_CONFIG_INVALID` naming the field that is missing, malformed or contradicts another. Entries the context does not
 * use are not looked at.
 */
export function resolveContext(file: ConfigFile, contextName?: string, other: OtherEntries = {}): Resolved {
  const context = withOthers(selectContext(file, contextName), other);
  const cluster = resolveCluster(referenced(context, context.cluster, file.clusters, 'cluster'));
  const user = context.user ? resolveUser(referenced(context, context.user, file.users, 'user'), cluster) : undefined;
  return {
    config: {
      server: cluster.server,
      source: `context "${context.name}" of ${context.place.text.source}`,
      namespace: checkedNamespace(context.namespace),
      ca: cluster.ca,
      tlsServerName: cluster.tlsServerName,
      insecureSkipTlsVerify: cluster.insecureSkipTlsVerify,
      proxyUrl: cluster.proxyUrl,
      // As client-go: credentials never travel over a connection that is not encrypted.
      auth: user && cluster.server.startsWith('https:') ? user.auth : { kind: 'none' },
      impersonate: user?.impersonate,
    },
    files: [...cluster.files, ...(user?.files ?? [])],
  };
}

function withOthers(context: ContextEntry, { cluster, user }: OtherEntries): ContextEntry {
  const field = (value: string | undefined, kind: 'cluster' | 'user') =>
    value ? { value, place: context.place.at(kind) } : context[kind];
  return { ...context, cluster: field(cluster, 'cluster'), user: field(user, 'user') };
}

function selectContext(file: ConfigFile, wanted: string | undefined): ContextEntry {
  const name = wanted || file.currentContext?.value;
  const choice = choose(file.contexts, 'context');
  if (name === undefined) {
    const message = `${file.source}: current-context is not set. ${choice} Then set current-context, or name the context.`;
    throw new KubeError('KUBE_CONFIG_INVALID', message);
  }
  const context = file.contexts.get(name);
  if (context !== undefined) return context;
  if (!wanted && file.currentContext) {
    throw invalidField(file.currentContext.place, `there is no context "${name}". ${choice}`);
  }
  throw new KubeError('KUBE_CONFIG_INVALID', `${file.source}: there is no context "${name}". ${choice}`);
}

function referenced<T>(
  context: ContextEntry,
  reference: Field<string> | undefined,
  entries: ReadonlyMap<string, T>,
  kind: 'cluster' | 'user',
): T {
  const choice = choose(entries, kind);
  if (reference === undefined) throw invalidField(context.place.at(kind), `is missing. ${choice}`);
  const entry = entries.get(reference.value);
  if (entry === undefined) throw invalidField(reference.place, `there is no ${kind} "${reference.value}". ${choice}`);
  return entry;
}

function choose(entries: ReadonlyMap<string, unknown>, kind: string): string {
  const names = [...entries.keys()].sort();
  if (names.length === 0) return `Add a ${kind}: there is none at all.`;
  const shown = names.slice(0, 10).map((name) => `"${name}"`);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `Choose one of ${shown.join(', ')}${more}.`;
}

function checkedNamespace(namespace: Field<string> | undefined): string | undefined {
  if (namespace === undefined || /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace.value)) return namespace?.value;
  const rule = 'at most 63 lower-case letters, digits and dashes, with a letter or digit at both ends';
  throw invalidField(namespace.place, `is not the name of a namespace: ${rule}.`);
}
