import { describe } from 'vitest';
import { describeStories } from './describe-stories.ts';

describe('convergence (embedded, 1 of 5)', () => describeStories({ tier: 'embedded', part: 1, count: 20 }));
