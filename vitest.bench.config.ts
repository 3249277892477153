import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** What `npm run bench` counts at the database; not part of the tests. */
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
        },
        // Named by the set-up that the tests share.
        d1Databases: { CROWDED: 'crowded', APART: 'apart' },
      },
    })),
  ],
  test: { name: 'bench', include: ['test/bench/**/*.bench.ts'], setupFiles: ['./test/setup.ts'] },
})
