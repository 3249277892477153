import { defineConfig } from 'vitest/config'
import { inWorkerd, keepDatabasesInMemory } from './test/in-workerd.ts'

keepDatabasesInMemory()

/** What requests cost in large databases, which take longer to fill than to ask. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [inWorkerd({ name: 'scale', include: ['test/scale/**/*.test.ts'] })],
  },
})
