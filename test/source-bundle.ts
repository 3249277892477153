import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vitest/config'

/** Packages that tests import too: they and the app must get the same copy. */
const packages = [
  'altcha-lib',
  'altcha-lib/algorithms/web/pbkdf2',
  'blurhash',
  'drizzle-orm',
  'drizzle-orm/sqlite-core',
  'hono',
  'hono/jsx',
  'hono/jsx/jsx-dev-runtime',
  'hono/jsx/jsx-runtime',
  'htmlparser2',
  'zod',
]
const source = resolve('src')
const folder = resolve('.wrangler/tests')
const prefix = '\0bundled:'

/**
 * Bundles the app into one module, and lets what tests import from `src` come from it.
 *
 * Module by module, each process would transform, fetch and evaluate 1,800 of them, which takes longer than most test
 * files. The bundle is kept by what it was made from.
 */
export function sourceBundle(): Plugin {
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' })
    // Scripts of pages are for browsers, and tested in Node.
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts') && !path.startsWith('islands'))
    .map((path) => join(source, path))
    .sort()
  const names = [...modules, ...packages]
  const indexes = new Map(names.map((name, index) => [isAbsolute(name) ? name : prefix + name, index]))
  let bundle: Promise<string> | undefined
  let isWatching = false
  return {
    name: 'source-bundle',
    enforce: 'pre',
    // While watching, vitest needs the graph of modules to find the tests of what changed.
    configureVitest({ vitest, defineCacheKeyGenerator }) {
      isWatching = vitest.config.watch
      // Kept by its own source alone, a module would name the bundle of an earlier source of the others.
      defineCacheKeyGenerator(({ id }) => (isWatching || !indexes.has(id) ? null : false))
    },
    resolveId(id, importer) {
      if (!isWatching && packages.includes(id) && importer?.includes('/test/')) return prefix + id
      return null
    },
    async load(id) {
      const index = indexes.get(id)
      if (isWatching || index === undefined) return null
      bundle ??= bundled(names)
      const hasDefault = !id.startsWith(prefix) && readFileSync(id, 'utf8').includes('export default')
      return [
        `import { m${index} as all } from ${JSON.stringify(await bundle)}`,
        // Vite's own function for 'export *', which takes the names from the module when it runs.
        '__vite_ssr_exportAll__(all)',
        ...(hasDefault ? ['export default all.default'] : []),
      ].join('\n')
    },
  }
}

/** Path of the bundle. */
async function bundled(names: readonly string[]): Promise<string> {
  const hash = createHash('sha1')
  for (const file of ['package-lock.json', fileURLToPath(import.meta.url)]) hash.update(readFileSync(file))
  for (const name of names) hash.update(name).update(isAbsolute(name) ? readFileSync(name) : '')
  const path = resolve(folder, `${hash.digest('hex')}.mjs`)
  if (existsSync(path)) return path
  const { outputFiles } = await build({
    stdin: {
      contents: names.map((name, index) => `export * as m${index} from ${JSON.stringify(name)}`).join('\n'),
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    outdir: folder,
  })
  mkdirSync(folder, { recursive: true })
  removeOld()
  const [output] = outputFiles
  if (output === undefined) throw new Error('esbuild made no bundle')
  // Another process may make the same, so the file is put there as a whole.
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, output.contents)
  renameSync(unfinished, path)
  return path
}

/** Removes bundles of more than a day ago. */
function removeOld(): void {
  const dayAgo = Date.now() - 86_400_000
  for (const name of readdirSync(folder)) {
    const path = resolve(folder, name)
    if (statSync(path).mtimeMs < dayAgo) rmSync(path, { force: true })
  }
}
