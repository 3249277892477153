import { defineConfig } from 'vitest/config'

/** Attacks on a freshly started instance over raw connections. One at a time: they measure memory. */
export default defineConfig({
  test: {
    name: 'abuse',
    environment: 'node',
    include: ['test/abuse/socket/**/*.test.ts'],
    globalSetup: ['test/abuse/socket/support/instance.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
})
