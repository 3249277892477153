// Builds the scripts of src/islands: modules for browsers, with what several need in parts of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

/**
 * The scripts as public/assets serves them. An entry is a file of the folder itself; `parts` are what it imports at once,
 * `later` what it may import after that, by their file names.
 */
export async function buildIslands(folder = 'src/islands') {
  const entries = readdirSync(folder).filter((name) => /\.tsx?$/.test(name))
  const { outputFiles, metafile } = await build({
    entryPoints: entries.map((name) => `${folder}/${name}`),
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx/dom',
    tsconfigRaw: {},
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    legalComments: 'none',
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  return Object.entries(metafile.outputs)
    .map(([path, output]) => ({
      name: basename(path),
      isEntry: output.entryPoint !== undefined && entries.includes(basename(output.entryPoint)),
      text: noticesOf(output) + texts.get(basename(path)),
      ...importsOf(metafile, path),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The service worker as public/sw.js serves it: one file, whose folder is the part of the site that it is for. */
export async function buildServiceWorker() {
  const { outputFiles } = await build({
    entryPoints: ['src/islands/worker/sw.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    tsconfigRaw: {},
    legalComments: 'none',
  })
  return outputFiles[0].text
}

/** Licences of the libraries in a file, which it has to carry along. */
function noticesOf({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  )
  return [...packages]
    .toSorted()
    .map((name) => `/*! ${name}: ${licenceOf(name)} */\n`)
    .join('')
}

function licenceOf(name) {
  const files = ['LICENSE', 'LICENSE.txt', 'LICENSE.md'].map((file) => `node_modules/${name}/${file}`)
  const file = files.find((path) => existsSync(path))
  if (file === undefined) throw new Error(`${name} has no licence to carry along`)
  return readFileSync(file, 'utf8').trim()
}

/** Imports of a file and of its imports in turn: at once, and only when they ask for it. */
function importsOf({ outputs }, path) {
  const [parts, later] = [new Set(), new Set()]
  const follow = (from, isLater) => {
    for (const { path: to, kind } of outputs[from].imports) {
      const isDynamic = isLater || kind === 'dynamic-import'
      const found = isDynamic ? later : parts
      if (found.has(to)) continue
      found.add(to)
      follow(to, isDynamic)
    }
  }
  follow(path, false)
  const names = (found) => [...found].map((one) => basename(one)).toSorted()
  return { parts: names(parts), later: names([...later].filter((one) => !parts.has(one))) }
}
