import type { Words } from './words.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Pure: a script for a shell. All words are known beforehand, so that completing starts no process. */
export function completionScript(shell: Shell, words: readonly Words[]): string {
  if (shell === 'fish') return fish(words);
  return shell === 'zsh' ? zsh(words) : bash(words);
}

function bash(words: readonly Words[]): string {
  return `# Completion of klutch for bash.
_klutch_words() {
  case "$1" in
${cases(words)}
  esac
}
_klutch() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ -n "$(_klutch_words "\${path:+$path }$word")" ] && path="\${path:+$path }$word" ;; esac
  done
  COMPREPLY=($(compgen -W "$(_klutch_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _klutch klutch`;
}

function zsh(words: readonly Words[]): string {
  return `#compdef klutch
# Completion of klutch for zsh.
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`;
}

function cases(words: readonly Words[]): string {
  return words.map(({ path, words: next }) => `    "${path}") echo "${next.join(' ')}" ;;`).join('\n');
}

function fish(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, words: next }) => {
    const condition = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
    const flags = next.filter((word) => word.startsWith('--')).map((word) => `-l ${word.slice(2)}`);
    const names = next.filter((word) => !word.startsWith('-')).map((word) => `-f -a ${word}`);
    return [...names, ...flags].map((what) => `complete -c klutch -n '${condition}' ${what}`);
  });
  return ['# Completion of klutch for fish.', ...lines].join('\n');
}
