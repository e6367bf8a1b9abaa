import { configDefaults, defineConfig } from 'vitest/config';

/** Still being completed for the embedded server, and asked for by name: `npm run conformance`. */
const unfinished = process.env['KLUTCH_CONFORMANCE'] === undefined ? ['test/conformance/**'] : [];

export default defineConfig({
  resolve: { conditions: ['klutch-source'] },
  ssr: { resolve: { conditions: ['klutch-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...unfinished],
    globalSetup: ['test/kit/src/vitest/global-setup.ts'],
    reporters: ['default', './test/kit/src/vitest/summary-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
