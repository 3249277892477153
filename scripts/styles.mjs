// The style sheets of the pages: those of src/styles with what they import, minified.
import { build } from 'esbuild'

/** Sheet of the client, sheet of the pages outside of its views, and that of the colours that members choose. */
export const sheets = ['client.css', 'pages.css', 'themes.css']

/** A sheet as public/assets serves it. */
export async function bundleStyle(name) {
  const { outputFiles } = await build({
    entryPoints: [`src/styles/${name}`],
    bundle: true,
    minify: true,
    // Browsers that know the properties of these sheets also nest and know `light-dark()`: nothing is written twice for others.
    target: 'esnext',
    write: false,
  })
  return outputFiles[0].text
}
