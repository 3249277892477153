// Bundles the scripts that pages load with the libraries they use, which carry their licence along.
import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'

const folder = 'scripts/islands'
const licence = readFileSync('node_modules/altcha-lib/LICENSE.txt', 'utf8').trim()

/** The scripts as public/assets serves them. */
export async function bundleIslands() {
  const names = readdirSync(folder).filter((name) => name !== 'bundle.mjs' && name.endsWith('.mjs'))
  return Promise.all(
    names.map(async (name) => {
      const { outputFiles } = await build({
        entryPoints: [`${folder}/${name}`],
        bundle: true,
        minify: true,
        format: 'iife',
        target: 'es2022',
        write: false,
        banner: { js: `/*! altcha-lib: ${licence} */` },
      })
      return { name: name.replace('.mjs', '.js'), text: outputFiles[0].text }
    }),
  )
}
