// The refusals that forms of pages can show, found by following calls from the pages through the source.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { translatedSources } from './messages.mjs'

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string'

/** Nodes of the syntax tree under `node`, without types. */
function* nodesOf(node) {
  if (node.type.startsWith('TS') && !('expression' in node)) return
  yield node
  for (const [key, value] of Object.entries(node)) {
    if (key === 'property' && node.type === 'MemberExpression' && !node.computed) continue
    if (key === 'key' && !node.computed) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child)
  }
}

/** File that an import names; null for packages. */
function resolve(from, source) {
  if (!source.startsWith('.')) return null
  const base = join(dirname(from), source)
  return [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`, base].find(
    (path) => /\.tsx?$/.test(path) && existsSync(path),
  )
}

/** Names that a source file declares, imports and passes on. */
function readModule(path) {
  const module = { declared: new Map(), imported: new Map(), stars: [] }
  const declare = (declaration) => {
    if (declaration.type === 'VariableDeclaration')
      for (const one of declaration.declarations)
        for (const { type, name } of nodesOf(one.id))
          if (type === 'Identifier') module.declared.set(name, one)
    if (declaration.id) module.declared.set(declaration.id.name, declaration)
  }
  for (const statement of parseSync(path, readFileSync(path, 'utf8')).program.body) {
    const target = statement.source ? resolve(path, statement.source.value) : null
    if (statement.type === 'ImportDeclaration') {
      if (!target || statement.importKind === 'type') continue
      for (const { local, imported } of statement.specifiers)
        module.imported.set(local.name, { path: target, name: imported?.name ?? '*' })
    } else if (statement.type === 'ExportAllDeclaration') {
      if (target) module.stars.push(target)
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
      declare(statement.declaration)
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const { local, exported } of statement.specifiers)
        if (target) module.imported.set(exported.name, { path: target, name: local.name })
    } else declare(statement)
  }
  return module
}

/** Failures that a form shows instead of ending in a page of their own. */
const refusing = new Set(['Invalid', 'Conflict'])
/** Functions that make a refusal of a field, by the place of its description among their arguments. */
const describing = new Map([
  ['problem', 1],
  ['pictureError', 1],
  ['unsafe', 1],
  ['badFile', 0],
  ['badHandle', 0],
])

/** Texts that an expression may be: placeholders stand for what is filled in. */
function textsOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return [node.quasis.map(({ value }) => value.cooked).join('{}')]
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)]
  if (node.type === 'LogicalExpression') return [...textsOf(node.left), ...textsOf(node.right)]
  return []
}

/** A description follows the name of its field, unless it is a sentence. */
const describedBy = (node) => textsOf(node).map((text) => (/^[A-Z]/.test(text) ? text : `Name ${text}`))

/** Refusals that a node of the syntax tree makes. */
function refusalsOf(node) {
  const name = node.callee?.name
  const { arguments: given = [] } = node
  if (node.type === 'NewExpression' && refusing.has(name)) return given.slice(0, 1).flatMap(textsOf)
  if (node.type === 'CallExpression' && name === 'validationFailed') return given.flatMap(textsOf)
  if (node.type === 'CallExpression' && describing.has(name))
    return given.slice(describing.get(name), describing.get(name) + 1).flatMap(describedBy)
  if (node.type === 'ClassDeclaration' && refusing.has(node.superClass?.name))
    return [...nodesOf(node)]
      .filter(({ type, callee }) => type === 'CallExpression' && callee.type === 'Super')
      .flatMap((call) => call.arguments.slice(0, 1).flatMap(textsOf))
  if (node.type !== 'ObjectExpression') return []
  const property = (key) => node.properties.find((one) => one.key?.name === key)?.value
  const described = property('error') && property('description')
  return described ? describedBy(described) : []
}

/**
 * Refusals in English by the file that makes them, `{}` for what is filled in.
 *
 * @returns {Map<string, string>}
 */
export function refusalsOfPages() {
  const modules = new Map()
  const moduleAt = (path) => {
    const module = modules.get(path) ?? readModule(path)
    modules.set(path, module)
    return module
  }
  const seen = new Set()
  const found = new Map()
  const follow = (path, name) => {
    const key = `${path} ${name}`
    if (seen.has(key)) return
    seen.add(key)
    const { declared, imported, stars } = moduleAt(path)
    const elsewhere = imported.get(name)
    if (elsewhere !== undefined) return follow(elsewhere.path, elsewhere.name)
    if (name === '*') for (const one of declared.keys()) follow(path, one)
    const declaration = declared.get(name)
    if (declaration === undefined) {
      for (const star of stars) follow(star, name)
      return
    }
    for (const node of nodesOf(declaration)) {
      for (const text of refusalsOf(node)) found.set(text, path)
      const names = node.type === 'Identifier' || node.type === 'JSXIdentifier'
      if (names && (declared.has(node.name) || imported.has(node.name))) follow(path, node.name)
    }
  }
  for (const { path } of translatedSources().filter((source) => source.path.startsWith('src/web/')))
    follow(path, '*')
  return found
}
