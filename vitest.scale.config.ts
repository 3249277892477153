import { defineConfig } from 'vitest/config'
import { inWorkerd, keepDatabasesInMemory } from './test/in-workerd.ts'
import { Sequencer } from './test/sequencer.ts'

keepDatabasesInMemory()

/** What requests cost in large databases, which take longer to fill than to ask. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    sequence: { sequencer: Sequencer },
    projects: [inWorkerd({ name: 'scale', include: ['test/scale/**/*.test.ts'] })],
  },
})
