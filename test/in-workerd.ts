import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone'
import { writeMigrations } from '../scripts/lib/migrations.mjs'
import { sourceBundle } from './source-bundle.ts'

/** Test files of a project, as globs. Groups of projects run one after the other, by `groupOrder`. */
interface Selection {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  readonly groupOrder?: number
}

/** Project of tests that run where the code will live. */
export function inWorkerd({ name, include, exclude = [], groupOrder = 0 }: Selection) {
  return {
    plugins: [
      jsonSchemaValidators(),
      sourceBundle(),
      cloudflareTest(async () => {
        writeMigrations('.')
        return {
          wrangler: { configPath: './wrangler.full.toml' },
          miniflare: {
            cf: false,
            bindings: {
              ORIGIN: 'https://fieldfare.test',
              INSTANCE_SECRET: 'a secret of forty-three characters for tests',
              SETUP_TOKEN: 'a-setup-token-for-tests',
              TEST_MIGRATIONS: await readD1Migrations('./migrations'),
            },
            // Empty databases: a test that fills one beyond what others should carry takes its own.
            d1Databases: { CROWDED: 'crowded', APART: 'apart' },
          },
        }
      }),
    ],
    // Imported as data URLs: a test inside workerd has no files of its own.
    assetsInclude: ['test/data/media/*'],
    test: {
      name,
      // A runtime for many files: starting one costs two CPU-seconds. Files share it and begin on an empty database.
      isolate: false,
      maxWorkers: 1,
      sequence: { groupOrder },
      include: [...include],
      exclude: [...exclude],
      setupFiles: ['./test/setup.ts'],
      // Catches a test that hangs. A busy machine takes several times as long as a quiet one.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      // Left outside, they would load what they ask for by themselves.
      server: { deps: { inline: ['htmlparser2', 'markdown-it'] } },
    },
  }
}

/**
 * Puts what runtimes store into shared memory, where there is room for it. A hundred times a second a test commits what
 * it wrote; waiting for the disk took as long as all the rest.
 */
export function keepDatabasesInMemory() {
  const memory = '/dev/shm'
  const needed = 512 * 1024 ** 2
  if (!existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize >= needed) process.env['TMPDIR'] = memory
}

const validatorQuery = '?validator'

/**
 * Makes `import valid from './schema.json?validator'` a function that tells whether a value fits the JSON schema.
 *
 * ajv compiles with `new Function`, which workerd forbids: here it writes the function out as a module beforehand.
 */
function jsonSchemaValidators() {
  return {
    name: 'json-schema-validators',
    enforce: 'pre' as const,
    load(id: string) {
      if (!id.endsWith(validatorQuery)) return null
      const schema: unknown = JSON.parse(readFileSync(id.slice(0, -validatorQuery.length), 'utf8'))
      if (typeof schema !== 'object' || schema === null) throw new Error(`${id} is no JSON schema`)
      const ajv = new Ajv({ allErrors: true, code: { source: true, esm: true } })
      return standaloneCode(ajv, ajv.compile(schema))
    },
  }
}
