import { describe, expect, it } from 'vitest';
import { healthzAnswer, probeAnswer } from './answer.ts';

const well = { name: 'caches' };
const ill = { name: 'leaderElection', failure: 'lease expired' };

describe('probe answer', () => {
  it.each([
    { results: [], isVerbose: false, status: 200, body: 'ok' },
    { results: [well], isVerbose: false, status: 200, body: 'ok' },
    { results: [well], isVerbose: true, status: 200, body: '[+]caches ok\nreadyz check passed\n' },
    {
      results: [well, ill],
      isVerbose: false,
      status: 500,
      body: '[+]caches ok\n[-]leaderElection failed: lease expired\nreadyz check failed\n',
    },
  ])('is $status for $results', ({ results, isVerbose, status, body }) => {
    expect(probeAnswer('readyz', results, isVerbose)).toMatchObject({ status, body });
  });
});

describe('healthz answer', () => {
  it.each([
    { results: [], status: 200, body: {} },
    { results: [well], status: 200, body: { caches: 'ok' } },
    { results: [well, ill], status: 500, body: { caches: 'ok', leaderElection: 'degraded' } },
  ])('is $status with $body', ({ results, status, body }) => {
    const answer = healthzAnswer(results);

    expect(answer).toMatchObject({ status, type: 'application/json' });
    expect(JSON.parse(answer.body)).toEqual(body);
  });
});
