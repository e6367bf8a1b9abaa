import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { inputFrom } from '../terminal/input.ts';
import { scratchFolder } from '../testing/run-klutch.ts';
import { claimPolicy } from './claim-policy.ts';

const terminal = (text = '') => {
  const input = inputFrom(Readable.from([text]));
  const out: string[] = [];
  return { out, show: (line: string) => void out.push(line), input: () => input };
};

async function answers(text: string, count: number): Promise<readonly boolean[]> {
  const policy = await claimPolicy(terminal(text), { mayAsk: true });
  if (policy.kind !== 'ask') throw new Error(`nobody is asked: ${policy.kind}`);
  const given: boolean[] = [];
  for (let at = 0; at < count; at++) given.push(await policy.ask(['? [No,Yes]']));
  return given;
}

async function fileWith(text: string): Promise<string> {
  const file = join(await scratchFolder(), 'claims.yaml');
  await writeFile(file, text);
  return file;
}

describe('claimPolicy', () => {
  it('CLI-19 CLI-21 takes yes and no in any case, one line for each question', async () => {
    expect(await answers('yes\nNO\n Y \nn\nYes\n', 5)).toEqual([true, false, true, false, true]);
  });

  it('CLI-19 asks again after anything else', async () => {
    const { out, ...where } = terminal('\nmaybe\ny\n');
    const policy = await claimPolicy(where, { mayAsk: true });

    expect(policy.kind === 'ask' && (await policy.ask(['text', '? [No,Yes]']))).toBe(true);
    expect(out).toEqual(['text', '? [No,Yes]', 'text', '? [No,Yes]', 'text', '? [No,Yes]']);
  });

  it('fails at the end of the input', async () => {
    await expect(answers('y\n', 2)).rejects.toMatchObject({ code: 'KLUTCH_CLAIM_UNDECIDED' });
  });

  it('has nobody to ask where that is not possible', async () => {
    expect(await claimPolicy(terminal(), { mayAsk: false })).toEqual({ kind: 'nobody' });
    expect(await claimPolicy({ show: () => undefined }, { mayAsk: true })).toEqual({ kind: 'nobody' });
  });

  it.each(['all', 'none'])('takes %s from the command line', async (acceptClaims) => {
    expect(await claimPolicy(terminal(), { acceptClaims, mayAsk: true })).toEqual({ kind: acceptClaims });
  });

  it('reads answers from a file', async () => {
    const acceptClaims = await fileWith('secrets: yes\nconfigmaps: "No"\ndeployments.apps: true\npods: Rejected\n');
    const policy = await claimPolicy(terminal(), { acceptClaims, mayAsk: true });

    expect(policy.kind === 'list' && [...policy.answers.values()]).toEqual([true, false, true, false]);
  });

  it.each([
    ['- secrets', /is no map/],
    ['a: [', /is no map/],
    ['secrets: perhaps', /says neither yes nor no to secrets/],
  ])('says what is wrong with a file of %j', async (text, problem) => {
    const acceptClaims = await fileWith(text);
    await expect(claimPolicy(terminal(), { acceptClaims, mayAsk: true })).rejects.toThrow(problem);
  });

  it('says so when the file is missing', async () => {
    const error = { code: 'KLUTCH_USAGE', message: expect.stringContaining('ENOENT') as string };
    await expect(claimPolicy(terminal(), { acceptClaims: '/nowhere/x', mayAsk: true })).rejects.toMatchObject(error);
  });
});
