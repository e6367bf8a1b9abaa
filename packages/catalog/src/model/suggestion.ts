/** The word that a misspelt one was probably meant to be. */
export function suggestion(misspelt: string, words: Iterable<string>): string | undefined {
  const [best] = [...words]
    .map((word) => ({ word, distance: distance(misspelt.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** `one of a, b and c`, and what was probably meant. */
export function allowedWords(misspelt: string, words: readonly string[]): string {
  const meant = suggestion(misspelt, words);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  if (words.length === 0) return 'there are none.';
  return `${words.length > 1 ? 'allowed are' : 'allowed is'} ${shown(words)}${hint || '.'}`;
}

/** More words than anybody wants to read are left out. */
function shown(words: readonly string[]): string {
  const most = 12;
  return words.length > most ? `${words.slice(0, most).join(', ')} and ${words.length - most} more` : words.join(', ');
}

/** How many characters must be added, left out or replaced (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
