// `npm run openapi`: writes public/openapi.json, the OpenAPI document of the API, from the endpoints that serve it. The
// Worker puts its origin in. `test/api/openapi.test.ts` fails when that is due.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from './lib/server.mjs'

const contents = `import { endpoints } from './src/api'
import { openApiText } from './src/api/openapi'
import { streamPaths } from './src/streaming/routes'
export const text = openApiText(endpoints, streamPaths())`

/** Workerd has what Node 20 lacks. */
const banner = `Uint8Array.fromHex ??= (text) => new Uint8Array(Buffer.from(text, 'hex'))
Uint8Array.fromBase64 ??= (text) => new Uint8Array(Buffer.from(text, 'base64'))`

const platform = {
  name: 'platform',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: 'platform' }))
    onLoad({ filter: /./, namespace: 'platform' }, () => ({
      contents:
        'export class DurableObject {}\nexport const env = {}\nexport const connect = () => undefined',
    }))
  },
}

const { outputFiles } = await build({
  stdin: { contents, resolveDir: root },
  bundle: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'],
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  banner: { js: banner },
  plugins: [platform],
  write: false,
})
const { text } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
)
writeFileSync(join(root, 'public/openapi.json'), text)
