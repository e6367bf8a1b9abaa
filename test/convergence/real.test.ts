import { describeReal } from '@klutch/kit/vitest';
import { it } from 'vitest';
import { playStories } from './play-stories.ts';

describeReal('convergence (real)', () => {
  it('20 random stories end with both sides equal, nothing lost and nothing left to write', { timeout: 600_000 }, () =>
    playStories('real', 0, 20),
  );
});
