// `npm run reference`: writes the tables of variables and settings in docs/operate/configure.md from the code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { partOf, writePart } from './lib/document-part.mjs'
import { referenceTable, settingFacts, variableFacts } from './lib/reference.mjs'
import { root } from './lib/server.mjs'

const document = join(root, 'docs/operate/configure.md')
const { variableFields, settingKinds, defaultSettings } = await loadSchema()
write('variable', 'the schema of variables', variableFacts(variableFields))
write('setting', 'the schema of settings', settingFacts(settingKinds, defaultSettings))

function write(title, name, facts) {
  const before = partOf(readFileSync(document, 'utf8'), name)
  writePart(document, name, referenceTable(title, facts, before))
}

async function loadSchema() {
  const contents = `export { variableFields } from './src/config'
export { settingKinds } from './src/domain/instance/save-settings'
export { defaultSettings } from './src/domain/instance/settings'`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['cloudflare:*'],
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
