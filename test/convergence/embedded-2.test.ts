import { describe } from 'vitest';
import { describeStories } from './describe-stories.ts';

describe('convergence (embedded, 2 of 5)', () => describeStories({ tier: 'embedded', part: 2, count: 20 }));
