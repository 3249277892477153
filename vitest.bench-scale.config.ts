import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** What `npm run bench:scale` measures on one generated instance, of so many statuses as `SCALE` says; no part of the tests. */
export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        cf: false,
        bindings: {
          ORIGIN: 'https://fieldfare.test',
          INSTANCE_SECRET: 'a secret of forty-three characters for tests',
          TEST_MIGRATIONS: await readD1Migrations('./migrations'),
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
