import type { PermissionClaim } from '@klutch/api';
import { expect, it } from 'vitest';
import { claimText } from './claim-text.ts';

const secrets: PermissionClaim = { resource: 'secrets', version: 'v1', selector: { owner: 'Provider' } };

it('CLI-19 says what the provider wants and what is required, and ends with the question', () => {
  expect(claimText({ ...secrets, required: true })).toEqual([
    'The provider wants to write secrets of its own into your cluster; yours are neither read nor changed.',
    'If you delete one of the provider’s objects, it is created again.',
    'Accepting this permission claim is required. The API does not work without it.',
    'Do you accept this permission claim? [No,Yes]',
  ]);
  expect(claimText(secrets).at(-2)).toBe('Accepting this permission claim is optional. The API works without it.');
});
