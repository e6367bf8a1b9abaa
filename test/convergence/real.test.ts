import { describeReal } from '@klutch/kit/vitest';
import { describeStories } from './describe-stories.ts';

describeReal('convergence (real)', () => describeStories({ tier: 'real', part: 0, count: 20 }));
