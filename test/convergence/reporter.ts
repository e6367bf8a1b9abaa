import type { ObjectRef, ResourceClient, UnknownObject } from '@klutch/kube';
import { answerTo, change, interference } from './author.ts';
import { type Outcome, outcomesAfter } from './outcomes.ts';
import { reportView } from './view.ts';

/** A provider, who alone reports on copies: objects that others make, and make again, under the same name. */
export interface Reporter {
  patch(name: string, patch: object, options?: { readonly subresource: 'status' }): Promise<void>;
  delete(name: string): Promise<void>;
  /** What may be reported on the copy with this UID. */
  outcomes(name: string, uid: string | undefined): readonly Outcome<object>[];
}

export function createReporter(client: ResourceClient<UnknownObject>, namespace: string): Reporter {
  /** Outcomes by `name/uid`; under `name/` those of a copy that no answer has shown yet. */
  const journal = new Map<string, readonly Outcome<object>[]>();
  const untouched: readonly Outcome<object>[] = [{ uid: undefined, content: reportView({}) }];
  const outcomes = (name: string, uid = '') => journal.get(`${name}/${uid}`) ?? journal.get(`${name}/`) ?? untouched;

  return {
    patch: async (name, patch, options) => {
      const ref: ObjectRef = { namespace, name };
      const write = change(reportView, patch);
      const answer = await answerTo(name, reportView, () => client.patch(ref, { type: 'merge', patch }, options));
      if (answer.is === 'lost') {
        const known = [...journal.keys()].filter((key) => key.startsWith(`${name}/`));
        for (const key of new Set([`${name}/`, ...known])) {
          journal.set(key, outcomesAfter(journal.get(key) ?? untouched, write, answer));
        }
      }
      if (answer.is !== 'done' || answer.shown === undefined) return;
      const { uid } = answer.shown;
      const before = outcomes(name, uid);
      // A copy may be on its way out; what was reported on it still counts.
      const after = outcomesAfter(before, write, { is: 'done', shown: { ...answer.shown, isEnding: false } });
      if (after.length === 0) throw interference(`${namespace}/${name}`, before, write, answer);
      journal.set(`${name}/${uid}`, after);
    },
    delete: async (name) => {
      await answerTo(name, reportView, () => client.delete({ namespace, name }));
    },
    outcomes,
  };
}
