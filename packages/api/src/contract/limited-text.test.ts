import { expect, it } from 'vitest';
import { limitedText } from './limited-text.ts';

async function* inBytes(text: string) {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
}

it('reads characters that arrive in pieces', async () => {
  expect(await limitedText(inBytes('höchstens 🐘'), 12)).toBe('höchstens 🐘');
});

it('refuses more than was allowed', async () => {
  await expect(limitedText(inBytes('abcd'), 3)).rejects.toThrow('the answer is too long');
});
