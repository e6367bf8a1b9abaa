import { isKubeError, type ResourceClient, type UnknownObject } from '@klutch/kube';
import { type Answer, type Outcome, outcomesAfter, type Shown, type Write } from './outcomes.ts';
import { type Fields, merged, type View } from './view.ts';

/** Somebody who alone writes certain fields of the objects of a namespace, and remembers what servers acknowledged. */
export interface Author {
  create(object: UnknownObject): Promise<void>;
  patch(name: string, patch: object): Promise<void>;
  delete(name: string): Promise<void>;
  /** Objects that the author has tried to write. */
  names(): readonly string[];
  /** What may be true of the object now, if nobody else interferes. */
  outcomes(name: string): readonly Outcome<object>[];
  /** How often the author tried to delete the object. */
  deletions(name: string): number;
}

/** Writes fail when servers are away or objects are missing; they throw when only somebody else can be the reason. */
export function createAuthor(
  client: ResourceClient<UnknownObject>,
  { namespace, view }: { readonly namespace: string; readonly view: View },
): Author {
  const journal = new Map<string, readonly Outcome<object>[]>();
  const deletions = new Map<string, number>();
  const outcomes = (name: string) => journal.get(name) ?? ['absent'];

  async function note(name: string, write: Write<object>, send: () => Promise<UnknownObject | void>): Promise<void> {
    const before = outcomes(name);
    const answer = await answerTo(name, view, send);
    const after = outcomesAfter(before, write, answer);
    if (after.length === 0) throw interference(`${namespace}/${name}`, before, write, answer);
    journal.set(name, after);
  }

  return {
    create: (object) =>
      note(object.metadata.name ?? '', { do: 'create', content: view(object) }, () => client.create(object)),
    patch: (name, patch) =>
      note(name, change(view, patch), () => client.patch({ namespace, name }, { type: 'merge', patch })),
    delete: async (name) => {
      deletions.set(name, (deletions.get(name) ?? 0) + 1);
      await note(name, { do: 'delete' }, () => client.delete({ namespace, name }));
    },
    names: () => [...journal.keys()],
    outcomes,
    deletions: (name) => deletions.get(name) ?? 0,
  };
}

export function change(view: View, patch: object): Write<object> {
  return { do: 'change', change: (content) => view(merged(content, patch) as Fields) };
}

/** Sends a write; whatever a server does or does not say is an answer. */
export async function answerTo(
  name: string,
  view: View,
  send: () => Promise<UnknownObject | void>,
): Promise<Answer<object>> {
  try {
    const object = await send();
    return { is: 'done', shown: object ? shownIn(object, view) : undefined };
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // A server that does not serve the kind yet answers with 404, too, but names no object.
    if (error.code === 'KUBE_NOT_FOUND' && error.body?.details?.name === name) return { is: 'notFound' };
    return { is: error.status !== undefined && error.status < 500 ? 'refused' : 'lost' };
  }
}

export function shownIn(object: UnknownObject, view: View): Shown<object> {
  const { uid, deletionTimestamp } = object.metadata;
  return { uid, content: view(object), isEnding: deletionTimestamp !== undefined };
}

/** What is wrong when an answer cannot be explained by the author's own writes. */
export function interference(
  object: string,
  before: readonly Outcome<object>[],
  write: Write<object>,
  answer: Answer<object>,
): Error {
  const [was, says] = [before, answer].map((value) => JSON.stringify(value));
  return new Error(`${object}: somebody else wrote it: after ${was}, the answer to ${write.do} was ${says}`);
}
