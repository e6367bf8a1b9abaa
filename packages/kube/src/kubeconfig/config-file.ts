import { KubeError } from '../errors/kube-error.ts';
import { type Field, FieldReader } from './fields.ts';
import { invalidField, Place } from './place.ts';
import { readYaml } from './yaml-text.ts';

/** What the file says, types checked, nothing resolved yet. */
export interface ConfigFile {
  /** Where it came from, for messages; several sources once merged. */
  readonly source: string;
  readonly currentContext?: Field<string>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}

interface Entry {
  readonly name: string;
  readonly place: Place;
  /** Folder that relative file references of this entry start from. */
  readonly folder: string;
}

/** An entry of `clusters`. Data fields are decoded. */
export interface ClusterEntry extends Entry {
  readonly server?: Field<string>;
  readonly certificateAuthority?: Field<string>;
  readonly certificateAuthorityData?: Field<string>;
  readonly insecureSkipTlsVerify?: Field<boolean>;
  readonly tlsServerName?: Field<string>;
  readonly proxyUrl?: Field<string>;
  /** Content of the extension `client.authentication.k8s.io/exec`. */
  readonly execConfig?: Field<unknown>;
}

/** An entry of `users`. Data fields are decoded. */
export interface UserEntry extends Entry {
  readonly clientCertificate?: Field<string>;
  readonly clientCertificateData?: Field<string>;
  readonly clientKey?: Field<string>;
  readonly clientKeyData?: Field<string>;
  readonly token?: Field<string>;
  readonly tokenFile?: Field<string>;
  readonly username?: Field<string>;
  readonly password?: Field<string>;
  readonly as?: Field<string>;
  readonly asUid?: Field<string>;
  readonly asGroups: readonly string[];
  readonly asUserExtra: Readonly<Record<string, readonly string[]>>;
  readonly authProvider?: { readonly place: Place };
  readonly exec?: ExecEntry;
}

/** The `exec` of a user. */
export interface ExecEntry {
  readonly place: Place;
  readonly command?: Field<string>;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion?: Field<string>;
  readonly interactiveMode?: Field<string>;
  readonly provideClusterInfo: boolean;
  readonly installHint?: string;
}

/** An entry of `contexts`. */
export interface ContextEntry extends Entry {
  readonly cluster?: Field<string>;
  readonly user?: Field<string>;
  readonly namespace?: Field<string>;
}

/**
 * Reads the text of one kubeconfig. Throws `KUBE_CONFIG_UNREADABLE` when it is not YAML and `KUBE_CONFIG_INVALID` when
 * it is not a kubeconfig, a field has the wrong type or a name occurs twice. A text without content is valid and empty.
 */
export function readConfigFile(text: string, source: string, folder: string): ConfigFile {
  const yaml = readYaml(text, source);
  const root = new FieldReader(yaml.value, new Place(yaml));
  refuseOtherKinds(root, source);
  return {
    source,
    currentContext: root.text('current-context'),
    clusters: readEntries(root, 'clusters', 'cluster', folder, readCluster),
    users: readEntries(root, 'users', 'user', folder, readUser),
    contexts: readEntries(root, 'contexts', 'context', folder, readContext),
  };
}

/** True when nothing is configured at all, as in an empty file. */
export function isEmptyConfig(file: ConfigFile): boolean {
  return !file.currentContext && file.clusters.size + file.users.size + file.contexts.size === 0;
}

function refuseOtherKinds(root: FieldReader, source: string): void {
  const kind = root.text('kind');
  const apiVersion = root.text('apiVersion');
  if ((kind?.value ?? 'Config') === 'Config' && (apiVersion?.value ?? 'v1') === 'v1') return;
  const found = `${apiVersion?.value ?? 'v1'} ${kind?.value ?? 'Config'}`;
  const message = `${source}: is not a kubeconfig but "${found}". A kubeconfig has apiVersion v1 and kind Config.`;
  throw new KubeError('KUBE_CONFIG_INVALID', message);
}

function readEntries<T extends Entry>(
  root: FieldReader,
  listName: string,
  contentName: string,
  folder: string,
  readContent: (content: FieldReader, entry: Entry) => T,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const { value, place } of root.list(listName)) {
    const item = new FieldReader(value, place);
    const name = item.text('name');
    if (name === undefined) throw invalidField(place.at('name'), 'is missing. Give the entry a name.');
    if (entries.has(name.value)) {
      throw invalidField(name.place, `the name "${name.value}" is given twice in ${listName}. Rename or remove one.`);
    }
    const content = item.mapping(contentName) ?? new FieldReader(undefined, place.at(contentName));
    entries.set(name.value, readContent(content, { name: name.value, place: content.place, folder }));
  }
  return entries;
}

function readCluster(cluster: FieldReader, entry: Entry): ClusterEntry {
  return {
    ...entry,
    server: cluster.text('server'),
    certificateAuthority: cluster.text('certificate-authority'),
    certificateAuthorityData: cluster.base64('certificate-authority-data'),
    insecureSkipTlsVerify: cluster.flag('insecure-skip-tls-verify'),
    tlsServerName: cluster.text('tls-server-name'),
    proxyUrl: cluster.text('proxy-url'),
    execConfig: readExecConfig(cluster),
  };
}

function readExecConfig(cluster: FieldReader): Field<unknown> | undefined {
  for (const { value, place } of cluster.list('extensions')) {
    const extension = new FieldReader(value, place);
    if (extension.text('name')?.value === 'client.authentication.k8s.io/exec') return extension.any('extension');
  }
  return undefined;
}

function readUser(user: FieldReader, entry: Entry): UserEntry {
  const extra = user.mapping('as-user-extra');
  const exec = user.mapping('exec');
  return {
    ...entry,
    clientCertificate: user.text('client-certificate'),
    clientCertificateData: user.base64('client-certificate-data'),
    clientKey: user.text('client-key'),
    clientKeyData: user.base64('client-key-data'),
    token: user.text('token'),
    tokenFile: user.text('tokenFile'),
    username: user.text('username'),
    password: user.text('password'),
    as: user.text('as'),
    asUid: user.text('as-uid'),
    asGroups: user.texts('as-groups'),
    asUserExtra: Object.fromEntries((extra?.names() ?? []).map((key) => [key, extra?.texts(key) ?? []])),
    authProvider: user.mapping('auth-provider'),
    exec: exec && readExec(exec),
  };
}

function readExec(exec: FieldReader): ExecEntry {
  const env = exec.list('env').map(({ value, place }) => {
    const variable = new FieldReader(value, place);
    const name = variable.text('name');
    if (name === undefined) throw invalidField(place.at('name'), 'is missing. Name the environment variable.');
    return [name.value, variable.text('value')?.value ?? ''] as const;
  });
  return {
    place: exec.place,
    command: exec.text('command'),
    args: exec.texts('args'),
    env: Object.fromEntries(env),
    apiVersion: exec.text('apiVersion'),
    interactiveMode: exec.text('interactiveMode'),
    provideClusterInfo: exec.flag('provideClusterInfo')?.value ?? false,
    installHint: exec.text('installHint')?.value,
  };
}

function readContext(context: FieldReader, entry: Entry): ContextEntry {
  return {
    ...entry,
    cluster: context.text('cluster'),
    user: context.text('user'),
    namespace: context.text('namespace'),
  };
}
