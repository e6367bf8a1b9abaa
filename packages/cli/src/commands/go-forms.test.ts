import { describe, expect, it } from 'vitest';
import { GoFormsCommand } from './go-forms.ts';

function parsed(...args: readonly string[]) {
  const command = new GoFormsCommand('x')
    .argument('[rest...]')
    .option('--skip')
    .option('-d, --dry-run [what]')
    .option('-v, --v <number>')
    .option('--image <image>')
    .action(() => undefined);
  command.parse([...args], { from: 'user' });
  return { ...command.opts(), rest: command.args };
}

describe('flags in the forms of Go', () => {
  it.each([
    [['--skip=true'], { skip: true, rest: [] }],
    [['--skip=false'], { rest: [] }],
    [['--skip', 'url'], { skip: true, rest: ['url'] }],
    [['--dry-run', 'url'], { dryRun: 'true', rest: ['url'] }],
    [['-d', 'url'], { dryRun: 'true', rest: ['url'] }],
    [['--dry-run=all', 'url'], { dryRun: 'all', rest: ['url'] }],
    [['-v=7'], { v: '7', rest: [] }],
    [['-v7'], { v: '7', rest: [] }],
    [['--v', '7'], { v: '7', rest: [] }],
    [['--image=a=b'], { image: 'a=b', rest: [] }],
    [['--', '--skip=false'], { rest: ['--skip=false'] }],
  ])('are understood: %j', (args, expected) => {
    expect(parsed(...args)).toEqual(expected);
  });
});
