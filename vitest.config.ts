import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone'
import { defineConfig } from 'vitest/config'
import { Sequencer } from './test/sequencer.ts'

/** What needs files or code generation runs in Node; everything else runs where it will live, in workerd. */
const inNode = ['test/guard/**/*.test.ts', 'test/node/**/*.test.ts']

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
          sequence: { groupOrder: 0 },
        },
      },
      inWorkerd(),
    ],
  },
})

/** The project of the tests that run where the code will live. */
function inWorkerd() {
  return {
    plugins: [
      jsonSchemaValidators(),
      cloudflareTest(async () => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          cf: false,
          bindings: {
            ORIGIN: 'https://fieldfare.test',
            INSTANCE_SECRET: 'a secret of forty-three characters for tests',
            SETUP_TOKEN: 'a setup token for tests',
            TEST_MIGRATIONS: await readD1Migrations('./migrations'),
          },
          d1Databases: { CROWDED: 'crowded', APART: 'apart' },
        },
      })),
    ],
    // Imported as data URLs: a test inside workerd has no files of its own.
    assetsInclude: ['test/data/media/*'],
    test: {
      name: 'workerd',
      // One runtime for many files: an isolated one costs two CPU-seconds per file. Files share storage,
      // so every test makes its own people and never counts what others made.
      isolate: false,
      maxWorkers: 1,
      sequence: { groupOrder: 1 },
      include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
      exclude: [...inNode, 'test/e2e/**', 'test/abuse/socket/**'],
      setupFiles: ['./test/setup.ts'],
      testTimeout: 15_000,
      // Left outside, they would load what they ask for by themselves.
      server: { deps: { inline: ['htmlparser2', 'markdown-it'] } },
    },
  }
}

/**
 * Puts what runtimes store into shared memory, where there is room for it. A hundred times a second a test commits what
 * it wrote; waiting for the disk took as long as all the rest.
 */
function keepDatabasesInMemory() {
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
