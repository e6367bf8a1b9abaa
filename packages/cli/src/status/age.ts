/** Pure: how far a moment lies from now, as kubectl shows ages: the largest unit that is at least two, as far as it goes. */
export function ageOf(moment: Date, now: Date): string {
  const seconds = Math.floor((now.getTime() - moment.getTime()) / 1000);
  const text = spanOf(Math.abs(seconds));
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 120 * 60) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
