/** The scenario ids a title starts with. */
export interface TitleIds {
  readonly known: readonly string[];
  /** Ids that look like a scenario's but are none: a slip of the pen, or a scenario that is gone. */
  readonly unknown: readonly string[];
}

/** Reads the ids at the start of a title: `KON-25 KON-26 keeps the app object` names two. */
export function idsOfTitle(title: string, scenarioIds: ReadonlySet<string>): TitleIds {
  const prefixes = new Set([...scenarioIds].map(prefixOf));
  const known: string[] = [];
  const unknown: string[] = [];
  for (const word of title.split(/[\s,:]+/)) {
    if (scenarioIds.has(word)) known.push(word);
    else if (looksLikeId(word, prefixes)) unknown.push(word);
    else break;
  }
  return { known, unknown };
}

function looksLikeId(word: string, prefixes: ReadonlySet<string>): boolean {
  if (!/^[A-Z]{2,4}-[A-Z]?\d+$/.test(word)) return false;
  // Two digits are the usual form of our ids; UTF-8 and SHA-256 are words of the language.
  return prefixes.has(prefixOf(word)) || /-[A-Z]?\d{2}$/.test(word);
}

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}
