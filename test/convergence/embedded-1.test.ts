import { describe, it } from 'vitest';
import { playStories } from './play-stories.ts';

describe('convergence (embedded, 1 of 5)', () => {
  it('100 random stories end with both sides equal, nothing lost and nothing left to write', { timeout: 900_000 }, () =>
    playStories('embedded', 1, 100),
  );
});
