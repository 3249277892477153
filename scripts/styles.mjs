// The style sheet of the pages: src/styles/client.css with what it imports, minified.
import { build } from 'esbuild'

/** The sheet as public/assets serves it. */
export async function bundleStyles() {
  const { outputFiles } = await build({
    entryPoints: ['src/styles/client.css'],
    bundle: true,
    minify: true,
    // Browsers that know the properties of these sheets also nest and know `light-dark()`: nothing is written twice for others.
    target: 'esnext',
    write: false,
  })
  return outputFiles[0].text
}
