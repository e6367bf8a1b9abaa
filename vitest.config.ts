import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['klutch-source'] },
  ssr: { resolve: { conditions: ['klutch-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/kit/src/vitest/global-setup.ts'],
    reporters: ['default', './test/kit/src/vitest/summary-reporter.ts'],
    // Most files wait for clusters most of the time.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
