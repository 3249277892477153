import { defineConfig } from 'vitest/config'

/** Several instances and a foreign server on one machine, one file after the other. */
export default defineConfig({
  test: {
    name: 'federation',
    environment: 'node',
    include: ['test/e2e/federation/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
})
