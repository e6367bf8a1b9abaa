import { describe } from 'vitest';
import { describeStories } from './describe-stories.ts';

describe('convergence (embedded, 5 of 5)', () => describeStories({ tier: 'embedded', part: 5, count: 20 }));
