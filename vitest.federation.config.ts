import { defineConfig } from 'vitest/config'

/** Several instances and foreign servers on one machine. All files run in one process and share the instances. */
export default defineConfig({
  test: {
    name: 'federation',
    environment: './test/e2e/federation/support/environment.ts',
    include: ['test/e2e/federation/**/*.test.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    silent: 'passed-only',
    teardownTimeout: 60_000,
  },
})
