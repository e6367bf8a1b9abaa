import { describe } from 'vitest';
import { describeStories } from './describe-stories.ts';

describe('convergence (embedded, 3 of 5)', () => describeStories({ tier: 'embedded', part: 3, count: 20 }));
