import { defineConfig } from 'vitest/config'

/** Files that start servers of their own, or render hundreds of pages: side by side they take longer than one by one. */
const heavy = [
  'test/e2e/raw/{start,deploy,deploy-documents,deploy-restore,restore,demo}.test.ts',
  'test/e2e/browser/every-page.test.ts',
]

const shared = {
  environment: 'node',
  globalSetup: ['test/e2e/support/instance.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  teardownTimeout: 15_000,
}

/** Published clients and a real browser against a freshly started instance, over a real socket. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/federation/**', ...heavy],
          // The instance under test needs a core as well.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e-heavy',
          include: heavy,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
