/**
 * A moment in the history of a cluster, written down there: the `count`-th of an epoch. Copies carry the stamp of the
 * cluster of their original, taken after the original was there.
 */
export interface Stamp {
  readonly epoch: string;
  readonly count: number;
}

/**
 * What the konnector keeps in a cluster to tell its history: the latest stamp, and the last one of each earlier epoch
 * with stamps, the newest first. It goes back in time with the cluster when that is restored from a backup.
 */
export interface Mark extends Stamp {
  readonly past: readonly Stamp[];
}

/** As annotations and conditions carry it. */
export function renderStamp({ epoch, count }: Stamp): string {
  return `${epoch}:${count}`;
}

export function renderMark(mark: Mark): string {
  return [mark, ...mark.past].map(renderStamp).join(' ');
}

/** Undefined for anything but a stamp. */
export function parseStamp(text: string | undefined): Stamp | undefined {
  const [, epoch, count] = /^([A-Za-z0-9_-]{8,64}):(\d{1,15})$/.exec(text ?? '') ?? [];
  return epoch === undefined ? undefined : { epoch, count: Number(count) };
}

/** Undefined for anything but a whole mark. */
export function parseMark(text: string | undefined): Mark | undefined {
  const [latest, ...past] = (text ?? '').split(' ').map(parseStamp);
  if (latest === undefined || past.includes(undefined)) return undefined;
  return { ...latest, past: past.filter((stamp) => stamp !== undefined) };
}
