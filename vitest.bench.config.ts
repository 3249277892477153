import { defineConfig } from 'vitest/config'
import { inWorkerd } from './test/in-workerd.ts'

/** What `npm run bench` counts at the database; not part of the tests. */
export default defineConfig({
  test: { projects: [inWorkerd({ name: 'bench', include: ['test/bench/**/*.bench.ts'] })] },
})
