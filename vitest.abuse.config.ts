import { defineConfig } from 'vitest/config'

/** Attacks on a freshly started instance over raw connections. One at a time: they measure memory. */
export default defineConfig({
  test: {
    name: 'abuse',
    environment: 'node',
    include: ['test/abuse/socket/**/*.test.ts'],
    globalSetup: ['test/abuse/socket/support/instance.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
  },
})
