import { defineConfig } from 'vitest/config'
import { inWorkerd, keepDatabasesInMemory } from './test/in-workerd.ts'
import { Sequencer } from './test/sequencer.ts'

/** What needs files or code generation runs in Node; everything else runs where it will live, in workerd. */
const inNode = ['test/guard/**/*.test.ts', 'test/islands/**/*.test.ts', 'test/node/**/*.test.ts']

keepDatabasesInMemory()

export default defineConfig({
  test: {
    // What the code under test logs is shown where a test fails.
    silent: 'passed-only',
    // Files run in another order each time; the seed is printed, and `--sequence.seed` repeats it.
    sequence: { shuffle: { files: true }, sequencer: Sequencer },
    projects: [
      // In groups of their own: only the first project of a group runs all its files in one worker.
      {
        test: {
          name: 'node',
          include: inNode,
          environment: 'node',
          isolate: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 0 },
        },
      },
      inWorkerd({
        name: 'workerd',
        include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
        exclude: [...inNode, 'test/e2e/**', 'test/abuse/socket/**', 'test/scale/**'],
        groupOrder: 1,
      }),
    ],
  },
})
