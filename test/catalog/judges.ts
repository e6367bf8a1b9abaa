import { type Catalogue, definitionOf, type Judge } from '@klutch/catalog';
import { eventually } from '@klutch/kit';
import { crdsOf } from '@klutch/xrd';
import type { Received } from '../conformance/client.ts';
import { connectTo, type Server } from '../conformance/server.ts';
import type { RunningTarget } from '../conformance/targets.ts';
import { offersOf } from './default-catalogue.ts';
import type { Spec } from './matrix/index.ts';

/** A new claim, or the change of one. */
export interface Question {
  readonly kind: string;
  readonly spec: Spec;
  readonly before?: Spec;
}

export interface Verdict {
  readonly accepted: boolean;
  /** What a refusal says, with the fields that it is about. */
  readonly said: string;
}

/** Somebody who knows which claims are accepted. */
export interface ClaimJudge {
  ask(question: Question): Promise<Verdict>;
  close(): Promise<void>;
}

/** A judge that keeps claims. */
export interface ServerJudge extends ClaimJudge {
  /** Stores a claim, to be changed later. */
  store(kind: string, spec: Spec): Promise<unknown>;
  /** Goes on with another catalogue. */
  use(catalogue: Catalogue): Promise<void>;
}

/** Judges by the catalogue alone. */
export function offlineJudge(judge: Judge, catalogue: Catalogue): ClaimJudge {
  const group = offersOf(catalogue)[0]?.group ?? '';
  return {
    ask: async ({ kind, spec, before }) => {
      const claim = (given: Spec) => ({ ...claimOf(group, kind, 'claim'), spec: given });
      const verdict = judge(claim(spec), before && claim(before));
      if (verdict.accepted) return { accepted: true, said: '' };
      return { accepted: false, said: verdict.refusals.map(({ field, message }) => `${field}: ${message}`).join(', ') };
    },
    close: async () => undefined,
  };
}

/** Judges by asking a server that has the CRDs of the catalogue's claims, in a namespace of that name. */
export async function serverJudge(
  target: RunningTarget,
  catalogue: Catalogue,
  namespace: string,
): Promise<ServerJudge> {
  const server = await connectTo(target, () => undefined);
  const offers = offersOf(catalogue);
  await server.createNamespace(namespace);
  const use = async (other: Catalogue) => {
    await Promise.all(offersOf(other).map((offer) => install(server, definitionOf(offer, other))));
  };
  await use(catalogue);
  const group = offers[0]?.group ?? '';
  const paths = new Map(
    offers.map(({ kind, plural }) => [kind, `/apis/${group}/v1/namespaces/${namespace}/${plural}`]),
  );
  const stored = new Map<string, Promise<Received>>();

  const existing = (kind: string, spec: Spec) => {
    const key = JSON.stringify([kind, spec]);
    const object = stored.get(key) ?? create(kind, spec, `claim-${stored.size}`);
    stored.set(key, object);
    return object;
  };
  const create = (kind: string, spec: Spec, name: string) =>
    server.admin.create(paths.get(kind) ?? '', { ...claimOf(group, kind, name), spec });

  return {
    use,
    store: existing,
    ask: async ({ kind, spec, before }) => {
      const path = paths.get(kind) ?? '';
      const query = 'dryRun=All&fieldValidation=Strict';
      const old = before && (await existing(kind, before));
      const answer = old
        ? await server.admin.put(`${path}/${old.metadata.name}?${query}`, { ...old, spec })
        : await server.admin.post(`${path}?${query}`, { ...claimOf(group, kind, 'claim'), spec });
      if (answer.status < 300) return { accepted: true, said: '' };
      if (answer.status === 422 || answer.status === 400) return { accepted: false, said: answer.body.message };
      throw new Error(`no verdict about ${kind} ${JSON.stringify(spec)}: ${answer.text}`);
    },
    close: async () => {
      const { admin } = server;
      await Promise.all(offers.map(({ plural }) => admin.delete(`${crds}/${plural}.${group}`)));
      await server.close();
    },
  };
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function claimOf(group: string, kind: string, name: string) {
  return { apiVersion: `${group}/v1`, kind, metadata: { name } };
}

async function install(server: Server, definition: ReturnType<typeof definitionOf>): Promise<void> {
  const { claim } = crdsOf(definition);
  if (!claim) throw new Error(`${definition.metadata.name} offers no claims`);
  const answer = await server.admin.apply(`${crds}/${claim.metadata.name}`, 'test', claim);
  if (answer.status >= 300) throw new Error(`${claim.metadata.name} is refused: ${answer.body.message}`);
  const { group, names } = claim.spec;
  const served = async () => (await server.admin.get(`/apis/${group}/v1/${names.plural}`)).status === 200;
  await eventually(served, { what: `${names.plural} are served` });
}
