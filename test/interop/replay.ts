import type { Readable } from 'node:stream';
import { isKubeError, type KubeClient, type KubeObject, type KubeRequest } from '@klutch/kube';
import type { Cast } from './cast.ts';
import type { RecordedObject, RecordedRequest } from './recording.ts';

/** A recorded request as it went this time. */
export interface Played {
  readonly recorded: RecordedRequest;
  readonly status: number;
  readonly answer: unknown;
}

/** Who sends the requests of a recording, and what is known about the live objects they speak of. */
export interface Player {
  /** The user of the recording. */
  readonly client: KubeClient;
  /** Of the same cluster; sees the versions that the Go component saw through its watches. */
  readonly admin: KubeClient;
  readonly cast: Cast;
  /** Live UIDs by recorded ones; grows with every answer. */
  readonly uids: Map<string, string>;
}

export interface ReplayOptions {
  /** Changes the body last, for what the component had taken from objects that are different this time. */
  readonly adapt?: (body: RecordedObject, current: KubeObject | undefined) => RecordedObject;
  /** Added to the query. */
  readonly query?: string;
}

/**
 * Sends a recorded request to a live cluster. Names and placeholders are those of the cast; preconditions are what the
 * component would have seen: the current version where the recorded request met it, an old one where it did not.
 */
export async function replay(recorded: RecordedRequest, player: Player, options: ReplayOptions = {}): Promise<Played> {
  const path = pathOf(recorded, player.cast) + (options.query ? `?${options.query}` : '');
  const body = recorded.body && (await liveBody(recorded, player, options));
  const { status, answer } = await send(recorded, path, body, player.client);
  learn(recorded.answer, answer, player.uids);
  return { recorded, status, answer };
}

/** No object still has this version. */
const oldVersion = '1';

function pathOf({ uri }: RecordedRequest, cast: Cast): string {
  // Versions are those of another cluster. Watches last long enough to be accepted, and can be waited for.
  const path = uri
    .replace(/resourceVersion=\d+/, 'resourceVersion=0')
    .replace(/timeoutSeconds=\d+/, 'timeoutSeconds=1');
  return cast.textOf(path);
}

async function liveBody(recorded: RecordedRequest, player: Player, { adapt }: ReplayOptions): Promise<RecordedObject> {
  const body = player.cast.valueOf(recorded.body ?? {});
  if (recorded.verb === 'delete') return { ...body, apiVersion: 'v1' };
  const isChange = recorded.verb === 'update' || recorded.verb === 'patch';
  const current = isChange ? await currentObject(recorded, player) : undefined;
  const metadata = body.metadata && liveMetadata(body.metadata, recorded, current, player);
  const live = withCurrentHeartbeat(metadata ? { ...body, metadata } : body);
  return adapt ? adapt(live, current) : live;
}

/** A heartbeat is one of now. */
function withCurrentHeartbeat(body: RecordedObject): RecordedObject {
  const { status } = body as { readonly status?: { readonly lastHeartbeatTime?: string } };
  if (status?.lastHeartbeatTime === undefined) return body;
  return { ...body, status: { ...status, lastHeartbeatTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z') } };
}

function liveMetadata(
  metadata: Readonly<Record<string, unknown>>,
  { status }: RecordedRequest,
  current: KubeObject | undefined,
  { uids }: Player,
): Readonly<Record<string, unknown>> {
  const live: Record<string, unknown> = { ...metadata };
  const { uid, ownerReferences } = metadata;
  if (typeof uid === 'string') live['uid'] = current?.metadata.uid ?? uids.get(uid) ?? uid;
  if (metadata['resourceVersion'] !== undefined) {
    live['resourceVersion'] = status === 409 ? oldVersion : (current?.metadata.resourceVersion ?? oldVersion);
  }
  // What was read before is sent back with the times that were read with it.
  for (const stamp of uid === undefined ? [] : (['creationTimestamp', 'deletionTimestamp'] as const)) {
    if (metadata[stamp] !== undefined && current) live[stamp] = current.metadata[stamp];
  }
  if (Array.isArray(ownerReferences)) live['ownerReferences'] = ownerReferences.map((owner) => liveOwner(owner, uids));
  return live;
}

function liveOwner(owner: { readonly uid: string; readonly name: string }, uids: ReadonlyMap<string, string>): object {
  const uid = uids.get(owner.uid);
  if (uid === undefined) throw new Error(`Nobody plays the owner ${owner.name}.`);
  return { ...owner, uid };
}

async function currentObject({ uri }: RecordedRequest, { admin, cast }: Player): Promise<KubeObject | undefined> {
  const path = cast.textOf(uri.replace(/\?.*$/, '').replace(/\/status$/, ''));
  const { status, answer } = await send({ verb: 'get', agent: 'klutch-test' }, path, undefined, admin);
  return status === 200 ? (answer as KubeObject) : undefined;
}

type Sent = Pick<RecordedRequest, 'verb' | 'agent'>;

async function send(
  { verb, agent }: Sent,
  path: string,
  body: RecordedObject | undefined,
  client: KubeClient,
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const request: KubeRequest = {
    method: methods[verb],
    path,
    headers: { 'user-agent': agent, 'content-type': contentType(verb, path) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    mode: 'call',
    about: { verb, resource: path, object: path },
  };
  try {
    const response = await client.transport.send(request);
    const text = await readAll(response.body);
    return { status: response.status, answer: verb === 'watch' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (!isKubeError(error) || error.status === undefined) throw error;
    return { status: error.status, answer: error.body };
  }
}

async function readAll(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString();
}

const methods = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
} as const;

function contentType(verb: RecordedRequest['verb'], path: string): string {
  if (verb !== 'patch') return 'application/json';
  return path.includes('force=true') ? 'application/apply-patch+yaml' : 'application/merge-patch+json';
}

function learn(recorded: RecordedObject | undefined, live: unknown, uids: Map<string, string>): void {
  const was = recorded?.metadata?.['uid'];
  const is = (live as KubeObject | undefined)?.metadata?.uid;
  if (typeof was === 'string' && is !== undefined) uids.set(was, is);
}
