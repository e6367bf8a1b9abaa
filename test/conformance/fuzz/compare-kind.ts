import { eventually } from '@klutch/kit';
import type { Content, SchemaCase, Trial } from '../../../packages/cel/src/testing/index.ts';
import type { JsonSchema } from '@klutch/cel';
import type { Answer, Client } from '../client.ts';
import { anySchema, crds, definition, install } from '../definition.ts';
import type { Sent } from '../objects.ts';
import { inCluster } from '../paths.ts';
import type { Server } from '../server.ts';
import { type BothServers, compare, type Disagreement, inParallel, onBoth } from './both-servers.ts';
import { isAccepted, verdictOf } from './verdict.ts';

/** A request on which the servers do not agree. */
export interface Finding extends Disagreement {
  /** Absent when it is about the definition itself. */
  readonly trial?: number;
  readonly request: 'define' | 'create' | 'read' | 'replace' | 'replace the status';
}

const group = 'fuzz.conf.example';
const atOnce = 8;

/** Whether a definition with this schema is accepted, and where the servers disagree about that. */
export async function compareDefinition(
  servers: BothServers,
  schema: JsonSchema,
): Promise<{ readonly isAccepted: boolean; readonly findings: readonly Finding[] }> {
  const sent = definition({ group, kind: 'Candidate', scope: 'Cluster', schema, version: subresourcesFor(schema) });
  const { verdict, disagreement } = await compare(
    servers,
    (admin) => admin.post(`${crds()}?dryRun=All`, sent),
    ({ spec }) => spec,
  );
  // Some schemas that are not structural make kube-apiserver panic, which is no verdict.
  const isAnswered = verdict.status !== 0;
  return {
    isAccepted: isAccepted(verdict),
    findings: disagreement && isAnswered ? [{ ...disagreement, request: 'define' }] : [],
  };
}

/**
 * Plays all trials of a kind whose definition both servers accept. What is replaced was stored when the kind had no rules, so
 * that it may break those of the schema.
 * @param kind a name that no other call uses on these servers
 */
export async function compareKind(
  servers: BothServers,
  kind: string,
  { schema, trials }: SchemaCase<Content>,
): Promise<readonly Finding[]> {
  const name = `${kind.toLowerCase()}s.${group}`;
  await onBoth(servers, ({ admin }) => install(admin, { group, kind, scope: 'Cluster', schema: anySchema }));
  try {
    const objects = trials.map((trial, index) => played(kind, trial, index));
    await inParallel(objects, atOnce, ({ path, before }) =>
      onBoth(servers, async ({ admin }) => before && admin.create(path(), before)),
    );
    const closed = { ...schema, properties: { ...schema.properties, closed: { type: 'string', enum: ['yes'] } } };
    const version = definition({ group, kind, schema: closed, version: subresourcesFor(schema) });
    const { disagreement } = await compare(
      servers,
      (admin) => admin.patch('merge', `${crds(name)}?dryRun=All`, { spec: { versions: versionsOf(version) } }),
      ({ spec }) => spec,
    );
    if (disagreement) return [{ ...disagreement, request: 'define' }];
    await onBoth(servers, (server) => close(server, kind, versionsOf(version)));
    const found = await inParallel(objects, atOnce, (object, trial) => findings(servers, schema, object, trial));
    return found.flat();
  } finally {
    await onBoth(servers, ({ admin }) => admin.delete(crds(name)));
  }
}

interface Played {
  /** Of the collection, or of the object. */
  readonly path: (name?: string) => string;
  readonly name: string;
  readonly before: Sent | undefined;
  readonly after: Sent;
}

function played(kind: string, { before, after }: Trial<Content>, index: number): Played {
  const name = `trial-${index}`;
  const whole = (content: Content): Sent => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name },
    ...content,
  });
  return {
    path: inCluster(`${group}/v1/${kind.toLowerCase()}s`),
    name,
    before: before && whole(before.value),
    after: whole(after),
  };
}

async function findings(
  servers: BothServers,
  schema: JsonSchema,
  { path, name, before, after }: Played,
  trial: number,
): Promise<Finding[]> {
  const versions = new Map<Client, string>();
  const get = async (admin: Client) => {
    const answer = await admin.get(path(name));
    versions.set(admin, answer.body.metadata.resourceVersion);
    return answer;
  };
  const put = (subresource: string) => (admin: Client) =>
    admin.put(`${path(name)}${subresource}?dryRun=All`, {
      ...after,
      metadata: { ...after.metadata, resourceVersion: versions.get(admin) },
    });
  const fresh = { ...after, metadata: { name: `${name}-new` } };
  const requests: readonly (readonly [Finding['request'], (admin: Client) => Promise<Answer>])[] = [
    ['create', (admin) => admin.post(`${path()}?dryRun=All`, fresh)],
    ...(before
      ? ([
          ['read', get],
          ['replace', put('')],
        ] as const)
      : []),
    ...(before && schema.properties?.['status'] ? ([['replace the status', put('/status')]] as const) : []),
  ];
  const found: Finding[] = [];
  for (const [request, send] of requests) {
    const { disagreement } = await compare(servers, send);
    if (disagreement) found.push({ ...disagreement, request, trial });
  }
  return found;
}

/** Gives a kind its schema, and waits until the server holds objects to it. */
async function close({ admin }: Server, kind: string, versions: readonly unknown[]): Promise<void> {
  const name = `${kind.toLowerCase()}s.${group}`;
  const { status, text } = await admin.patch('merge', crds(name), { spec: { versions } });
  if (status !== 200) throw new Error(`${name} does not get its schema: ${text}`);
  const objects = inCluster(`${group}/v1/${kind.toLowerCase()}s`);
  const probe = { apiVersion: `${group}/v1`, kind, metadata: { name: 'probe' }, closed: 'no' };
  const isRefused = async () => {
    const verdict = verdictOf(await admin.post(`${objects()}?dryRun=All`, probe));
    return verdict.problems?.some((problem) => problem.startsWith('closed '));
  };
  await eventually(isRefused, { what: `${name} has its schema` });
}

const versionsOf = (sent: Sent) => (sent['spec'] as { readonly versions: readonly unknown[] }).versions;

const subresourcesFor = ({ properties }: JsonSchema) =>
  properties?.['status'] ? { subresources: { status: {} } } : {};
