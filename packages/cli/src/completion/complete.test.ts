import { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { asCobra, complete } from './complete.ts';

function sample(): Command {
  const program = new Command('klutch');
  const bind = program
    .command('bind')
    .addOption(new Option('-o, --output <format>').choices(['json', 'yaml']))
    .option('--kubeconfig <file>')
    .option('--no-browser');
  bind.command('apiservice').option('-f, --file <file>');
  return program;
}

it.each<[string[], string[], boolean]>([
  [[''], ['bind', 'help'], false],
  [['bind', ''], ['apiservice', 'help'], false],
  [['bind', 'ap'], ['apiservice'], false],
  [['bind', '--k'], ['--kubeconfig'], false],
  [['bind', '-o', ''], ['json', 'yaml'], false],
  [['bind', '--output', 'y'], ['yaml'], false],
  [['bind', '--kubeconfig', ''], [], true],
  [['bind', '--no-browser', 'a'], ['apiservice'], false],
  [['bind', 'apiservice', '--f'], ['--file'], false],
  [['nonsense', '--'], ['--help'], false],
])('offers after %j: %j, files: %s', (typed, words, files) => {
  expect(complete(sample(), typed)).toEqual({ words, files });
});

it('is written as Cobra does', () => {
  expect(asCobra({ words: ['a', 'b'], files: false })).toBe('a\nb\n:4');
  expect(asCobra({ words: [], files: true })).toBe(':0');
});
