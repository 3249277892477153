import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** What `npm run bench:scale` measures on one generated instance, of so many statuses as `SCALE` says; no part of the tests. */
export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: './wrangler.full.toml' },
      miniflare: {
        cf: false,
        bindings: {
          ORIGIN: 'https://fieldfare.test',
          INSTANCE_SECRET: 'a secret of forty-three characters for tests',
          TEST_MIGRATIONS: await readD1Migrations('./migrations'),
          // What the free plan allows in a day is less than all cases cost: beyond it deliveries are refused.
          DAILY_REQUESTS: '1000000000',
          DAILY_ROWS_READ: '1000000000',
          DAILY_ROWS_WRITTEN: '1000000000',
          DAILY_OBJECT_CALLS: '1000000000',
          DAILY_QUEUE_OPERATIONS: '1000000000',
          SCALE: process.env['SCALE'] ?? '1000',
          STATISTICS: process.env['STATISTICS'] ?? 'no',
        },
        d1Databases: { CROWDED: 'crowded', APART: 'apart' },
      },
    })),
  ],
  test: {
    name: 'bench-scale',
    include: ['test/bench/scale/**/*.scale.ts'],
    setupFiles: ['./test/setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    server: { deps: { inline: ['htmlparser2', 'markdown-it'] } },
  },
})
