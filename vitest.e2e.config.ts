import { defineConfig } from 'vitest/config'

/** Published clients and a real browser against a freshly started instance, over a real socket. */
export default defineConfig({
  test: {
    name: 'e2e',
    environment: 'node',
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['test/e2e/federation/**'],
    globalSetup: ['test/e2e/support/instance.ts'],
    // The instance under test needs a core as well.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
  },
})
