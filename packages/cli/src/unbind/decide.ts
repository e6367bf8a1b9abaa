import { KlutchError } from '@klutch/api';

/** What is known of an API that is to be unbound. */
export interface Seen {
  readonly api: string;
  /** `<namespace>/<name>` of its objects in the app cluster. */
  readonly objects: readonly string[];
}

/** What happens with the objects of an API: `Remove` finds none, `Delete` deletes them on both sides. */
export type Policy = 'Remove' | 'Delete';

/** Pure: how to unbind. Throws `KLUTCH_BINDING_IN_USE` when data would be lost and nobody said that it may. */
export function decideUnbind(all: readonly Seen[], force: boolean): ReadonlyMap<string, Policy> {
  const used = all.filter(({ objects }) => objects.length > 0);
  if (used.length > 0 && !force) {
    const listed = used.map(({ api, objects }) => `${api}: ${listOf(objects)}`).join('; ');
    const message = `Cannot unbind while objects exist: ${listed}. Nothing was changed. Delete them first, or use --force, which deletes them and all their data on the control plane for good.`;
    throw new KlutchError('KLUTCH_BINDING_IN_USE', message);
  }
  return new Map(all.map(({ api, objects }) => [api, objects.length > 0 ? 'Delete' : 'Remove']));
}

/** Pure: what a user has to agree to; undefined when nothing is lost. */
export function lossOf(all: readonly Seen[]): string | undefined {
  const used = all.filter(({ objects }) => objects.length > 0);
  if (used.length === 0) return undefined;
  const listed = used.map(({ api, objects }) => `${objects.length} of ${api} (${listOf(objects)})`).join(' and ');
  return `This deletes ${listed} here AND on the control plane: databases, their data and their backups are lost for good`;
}

const shown = 5;

function listOf(objects: readonly string[]): string {
  const more = objects.length > shown ? ` and ${objects.length - shown} more` : '';
  return `${objects.slice(0, shown).join(', ')}${more}`;
}
