import { describe } from 'vitest';
import { describeStories } from './describe-stories.ts';

describe('convergence (embedded, 4 of 5)', () => describeStories({ tier: 'embedded', part: 4, count: 20 }));
