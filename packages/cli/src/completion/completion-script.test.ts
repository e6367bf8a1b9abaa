import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionScript } from './completion-script.ts';

const words = [
  { path: '', words: ['status', 'konnector', '--help'] },
  { path: 'status', words: ['--output', '-o'] },
  { path: 'konnector', words: ['install'] },
  { path: 'konnector install', words: ['--image'] },
];

/** What bash offers after these words, the last of which is not finished. */
function offered(...typed: string[]): string[] {
  const script = `${completionScript('bash', words)}
COMP_WORDS=(klutch ${typed.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${typed.length}
_klutch
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it.each<[string[], string[]]>([
    [[''], ['status', 'konnector', '--help']],
    [['st'], ['status']],
    [['status', '--o'], ['--output']],
    [['konnector', ''], ['install']],
    [['konnector', 'install', '--'], ['--image']],
    [
      ['status', 'widgets.example.org', '-'],
      ['--output', '-o'],
    ],
    [['nonsense'], []],
  ])('offers after %j: %j', (typed, expected) => {
    expect(offered(...typed)).toEqual(expected);
  });
});

it('has words of all levels for zsh and fish', () => {
  expect(completionScript('zsh', words)).toContain('"konnector install") echo "--image" ;;');
  expect(completionScript('fish', words)).toContain(
    "complete -c klutch -n '__fish_seen_subcommand_from install' -l image",
  );
});
