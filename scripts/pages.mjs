// Lists the pages of each folder of src/web/pages whose files declare some with memberPage(): the bundler finds modules
// by imports alone. `npm start` runs it; `--check` writes nothing and exits with 1 where a list is out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../src/web/pages/', import.meta.url)
const declaration = /^export const (\w+) = memberPage\(/gm

const outdated = lists().filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
if (process.argv.includes('--check')) {
  for (const { folder } of outdated)
    console.error(`src/web/pages/${folder}/index.ts is out of date: npm run pages`)
  process.exitCode = outdated.length > 0 ? 1 : 0
} else for (const { file, text } of outdated) writeFileSync(file, text)

function lists() {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ folder: name, pages: pagesIn(name) }))
    .filter(({ pages }) => pages.length > 0)
    .map(({ folder, pages }) => ({
      folder,
      file: new URL(`${folder}/index.ts`, root),
      text: listing(folder, pages),
    }))
}

/** In the order of their files. */
function pagesIn(folder) {
  return readdirSync(new URL(`${folder}/`, root))
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => name.slice(0, -'.tsx'.length))
    .toSorted()
    .flatMap((module) => {
      const text = readFileSync(new URL(`${folder}/${module}.tsx`, root), 'utf8')
      return [...text.matchAll(declaration)].map(([, page]) => ({ page, module }))
    })
}

function listing(folder, pages) {
  const modules = [...new Set(pages.map(({ module }) => module))]
  const imports = modules.map((module) => {
    const names = pages.flatMap((one) => (one.module === module ? [one.page] : []))
    return `import { ${names.toSorted((one, other) => one.localeCompare(other, 'en')).join(', ')} } from './${module}'\n`
  })
  return `import type { MemberPage } from '../../member-pages/declaration'
${imports.join('')}
/** Pages of this folder, as \`npm run pages\` lists them. */
${listOf(
  `export const ${folder}Pages: readonly MemberPage[] = `,
  pages.map(({ page }) => page),
)}
`
}

/** As the formatter writes it: in a line where that is short enough. */
function listOf(head, names) {
  const line = `${head}[${names.join(', ')}]`
  return line.length <= 110 ? line : `${head}[\n${names.map((name) => `  ${name},\n`).join('')}]`
}
