import { defineConfig } from 'vitest/config'
import { inWorkerd } from './test/in-workerd.ts'

/** Work of which `npm run bench` measures the CPU time in workerd; not part of the tests. */
export default defineConfig({
  test: { projects: [inWorkerd({ name: 'bench', include: ['test/bench/**/*.bench.ts'] })] },
})
