import { join } from 'node:path';
import { createPolicyEnforcement } from './admission/enforce-policies.ts';
import {
  createAuthenticator,
  createTokenIssuer,
  dayOf,
  LEGACY_LAST_USED,
  loadSigningKey,
  type TokenObjects,
} from './authn/index.ts';
import {
  checkEscalation,
  createAuthorizer,
  forbiddenRequest,
  openStoreRoles,
  RBAC_GROUP,
  type RbacWrite,
} from './authz/index.ts';
import { API_SERVER, createSystemCaller, placeOf } from './controllers/caller/system-caller.ts';
import { startControllers } from './controllers/index.ts';
import { crdBucket } from './crd/crd.ts';
import { servedVersions } from './crd/served-versions.ts';
import { Endings } from './endings.ts';
import { closeFolderOf } from './files/private-folder.ts';
import { createHandler } from './http/handler.ts';
import { createGate } from './http/gate.ts';
import { listen } from './http/listen.ts';
import { otherPaths } from './http/other-paths.ts';
import { specialCreates } from './http/special-creates.ts';
import { builtInResources } from './kinds/index.ts';
import type { ApiObject } from './objects/api-object.ts';
import type { World } from './operations/call.ts';
import { openPki, type Pki } from './pki/index.ts';
import { createRegistry } from './registry/registry.ts';
import { keyOf } from './registry/served-resource.ts';
import { openStore } from './storage/index.ts';
import type { Store } from './storage/types.ts';
import { createWatchHub, type WatchHub } from './watch/index.ts';

export interface ApiServerOptions {
  /** Folder that keeps objects, keys and certificates over restarts. Default: memory only. */
  readonly dir?: string;
  /** Port on 127.0.0.1. Default 0: any that is free. */
  readonly port?: number;
  /** Told of problems that no client hears of. Default: nobody. */
  readonly onProblem?: (problem: unknown) => void;
  readonly patience?: Patience;
}

/** How long clients are waited for. */
export interface Patience {
  /** From the start of a request to its end; a slower one gets 408. Default 60. */
  readonly requestSeconds?: number;
  /** While a client takes nothing of an answer or a watch; then the connection is closed. Default 60. */
  readonly stallSeconds?: number;
}

/** What clients hold open at the moment. */
export interface Usage {
  readonly connections: number;
  readonly watches: number;
}

/** Whom a kubeconfig speaks for. */
export interface ApiServerUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** A running server. Any number of them can run in one process. */
export interface ApiServer {
  readonly url: string;
  /** Certificate of its authority, in PEM. */
  readonly caCertificate: string;
  /**
   * Text of a kubeconfig with a client certificate of one year. Default: an administrator in `system:masters`, who
   * {@link revokeAdministrators} ends. What others may do ends with their roles.
   */
  kubeconfig(user?: ApiServerUser): string;
  /** Ends every kubeconfig of a member of `system:masters` issued so far, also over restarts, and all open watches. */
  revokeAdministrators(): Promise<void>;
  usage(): Usage;
  /** Ends connections, controllers and storage, in this order; clients in the middle of something are cut off. */
  stop(): Promise<void>;
}

const issuerUrl = 'https://kubernetes.default.svc.cluster.local';

/** Starts a Kubernetes API server in this process. One that cannot start leaves nothing behind. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const endings = new Endings();
  try {
    return await start(options, endings);
  } catch (error) {
    await endings.run().catch(options.onProblem);
    throw error;
  }
}

async function start(options: ApiServerOptions, endings: Endings): Promise<ApiServer> {
  const { dir, port = 0, onProblem = () => {}, patience } = options;
  // The store locks the folder, keys included.
  let watches: WatchHub | undefined;
  const onRecovery = () => watches?.close();
  const store = await openStore({ dir: dir && join(dir, 'objects'), onProblem, onRecovery });
  endings.add(() => store.close());
  const pki = await openPki({ dir: dir && join(dir, 'pki') });
  if (dir !== undefined) await closeFolderOf(dir, ['objects', 'pki', 'kubeconfig']);
  const stopping = new AbortController();
  const roles = openStoreRoles(store);
  endings.add(() => roles.close());
  const authorizer = createAuthorizer(roles);
  const registry = createRegistry(builtInResources);
  const world: World = {
    store,
    registry,
    now: () => new Date(),
    admit: ({ resource, user, namespace = '', name = '' }, object, old) => {
      if (resource.group !== RBAC_GROUP) return;
      checkEscalation(
        { user, resource: resource.resource as RbacWrite['resource'], namespace, name, object, old },
        authorizer,
      );
    },
    admitCreation: ({ resource: { group, version, resource }, user, namespace, name }) => {
      const creation = { user, verb: 'create', group, version, resource, namespace, name };
      const { allowed, reason } = authorizer.authorize(creation);
      if (!allowed) throw forbiddenRequest(creation, reason);
    },
    enforce: createPolicyEnforcement({ store, registry, authorizer }),
  };
  const key = loadSigningKey(pki.serviceAccountKey);
  const issuer = createTokenIssuer(issuerUrl, key);
  const objects = tokenObjects(store);
  const audiences = [issuerUrl];
  const authenticator = createAuthenticator({
    certificateAuthority: pki.certificateAuthority,
    administratorAuthority: () => pki.administratorAuthority,
    serviceAccounts: {
      issuer: issuerUrl,
      audiences,
      keys: [key],
      objects,
      onLegacyTokenUsed: (secret) => void noteTokenUse(world, secret).catch(onProblem),
    },
  });
  const special = specialCreates({ authenticator, authorizer, issuer, audiences, objects, now: world.now });
  const controllers = startControllers({
    // What the server does by itself needs nobody's permission.
    world: { ...world, admit: undefined, admitCreation: undefined },
    caCertificate: pki.certificateAuthority,
    issueToken: (account, secret) => issuer.issueSecretToken(account, secret),
    typesOfCrd: servedVersions,
    signal: stopping.signal,
    log: { warn: (fields, message) => onProblem({ ...fields, message }) },
  });
  endings.add(() => {
    stopping.abort();
    return controllers.stopped;
  });
  await controllers.ready;
  const hub = createWatchHub(store, patience);
  watches = hub;
  // The CRD controller has heard of the change before, and watches of what happened to objects before it.
  endings.add(store.watch(crdBucket, store.revision, () => hub.endOutdated()));
  const handler = createHandler({
    world,
    gate: createGate(authenticator, authorizer),
    watches: hub,
    special,
    other: otherPaths(world.registry, { issuerUrl, keys: [key] }, () => store.problem === undefined),
    onUnexpected: onProblem,
  });
  const server = await listen(pki, { port, ...patience }, (request, response) => {
    handler(request, response).catch((bug: unknown) => {
      onProblem(bug);
      response.destroy();
    });
  });
  endings.add(() => server.close());
  endings.add(() => hub.close());
  const url = `https://127.0.0.1:${server.port}`;
  return {
    url,
    caCertificate: pki.certificateAuthority,
    kubeconfig: (user = { name: 'admin', groups: ['system:masters'] }) => kubeconfigText(url, pki, user),
    revokeAdministrators: async () => {
      await pki.revokeAdministrators();
      hub.close();
    },
    usage: () => ({ connections: server.connections, watches: hub.size }),
    stop: () => endings.run(),
  };
}

function tokenObjects(store: Store): TokenObjects {
  const find = (resource: string) => (namespace: string | undefined, name: string) =>
    store.get(`/${resource}`, keyOf(namespace, name))?.object();
  const node = find('nodes');
  return {
    serviceAccount: find('serviceaccounts'),
    secret: find('secrets'),
    pod: find('pods'),
    node: (name) => node(undefined, name),
  };
}

/** Old tokens carry the day of their last use, so that somebody can clean them up. */
async function noteTokenUse(world: World, secret: ApiObject): Promise<void> {
  const value = { metadata: { labels: { [LEGACY_LAST_USED]: dayOf(world.now()) } } };
  await createSystemCaller(world, API_SERVER).mergePatch(
    world.registry.require('', 'v1', 'secrets'),
    placeOf(secret),
    value,
  );
}

function kubeconfigText(server: string, pki: Pki, { name, groups }: ApiServerUser): string {
  const { certificate, key } = pki.issueClientCertificate({ user: name, groups });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'klutch', cluster: { server, 'certificate-authority-data': base64(pki.certificateAuthority) } }],
    users: [{ name, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
    contexts: [{ name: 'klutch', context: { cluster: 'klutch', user: name } }],
    'current-context': 'klutch',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
