import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/sequencer.ts'

/**
 * Published clients, a real browser and raw requests against a freshly started instance, over a real socket; and servers
 * that files start for themselves.
 */
export default defineConfig({
  test: {
    name: 'e2e',
    environment: 'node',
    include: ['test/e2e/**/*.test.ts'],
    exclude: ['test/e2e/federation/**'],
    globalSetup: ['test/e2e/support/instance.ts'],
    // Two processes load what all files import once; the instance under test needs a core as well.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
})
