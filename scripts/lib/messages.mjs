// The texts of pages, mails and push messages by their keys: what `npm run messages` prints, and what the guard holds.
import { readdirSync, readFileSync } from 'node:fs'
import { parse as parseMessage, TYPE } from '@formatjs/icu-messageformat-parser'
import { parseSync } from 'vite'

/** Languages beside English. */
export const languages = ['de', 'fr', 'es', 'ja', 'ar']

const root = new URL('../../', import.meta.url)

export function catalogueFile(language) {
  return new URL(`public/messages/${language}.json`, root)
}

export function readCatalogue(language) {
  return JSON.parse(readFileSync(catalogueFile(language), 'utf8'))
}

export function writtenCatalogue(catalogue) {
  const entries = Object.entries(catalogue).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

/** Source files of pages, and those with texts of mails and push messages. */
export function translatedSources() {
  return allSources().filter(({ path, text }) => path.startsWith('src/web/') || /\/translate'/.test(text))
}

/** Keys that source files name, each in quotes. */
export function usedKeys(keys, sources) {
  const quoted = new Set(sources.flatMap(({ text }) => text.match(/(?<=['"])[A-Za-z0-9.]+(?=['"])/g) ?? []))
  return keys.filter((key) => quoted.has(key))
}

/** Source files: their paths from the top of the project, and their texts. */
export function allSources() {
  return readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
}

/**
 * Words of a source file that no translation reaches, and keys that are put together, so that no search finds them.
 *
 * @returns {{ bare: string[], dynamic: string[] }}
 */
export function readSource({ path, text }) {
  const { program } = parseSync(path, text)
  const found = { bare: [], dynamic: [] }
  visit(program, found)
  return found
}

/** Attributes whose values people read or screen readers speak. */
const wordAttributes = new Set([
  'alt',
  'title',
  'placeholder',
  'label',
  'aria-label',
  'aria-description',
  'hint',
  'legend',
  'caption',
  'summary',
  'lead',
])

const hasWords = (text) => /\p{L}{2}/u.test(text)

function visit(node, found) {
  if (Array.isArray(node)) {
    for (const part of node) visit(part, found)
    return
  }
  if (typeof node !== 'object' || node === null || typeof node.type !== 'string') return
  if (node.type === 'CallExpression' && isTranslation(node.callee)) readArgument(node.arguments[0], found)
  if (node.type === 'JSXText' && hasWords(node.value)) found.bare.push(node.value.trim())
  if (node.type === 'JSXAttribute' && wordAttributes.has(node.name.name))
    found.bare.push(...wordsIn(node.value).filter(hasWords))
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    for (const child of node.children)
      if (child.type === 'JSXExpressionContainer')
        found.bare.push(...wordsIn(child.expression).filter(hasWords))
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') visit(value, found)
}

/** `t('…')`, `t.rich('…')` and `page.t('…')`. */
function isTranslation(callee) {
  if (callee.type === 'Identifier') return callee.name === 't'
  if (callee.type !== 'MemberExpression') return false
  const { object, property } = callee
  if (property.name === 'rich') return isTranslation(object)
  return property.name === 't'
}

function readArgument(argument, found) {
  if (argument === undefined) return
  if (argument.type === 'ConditionalExpression') {
    readArgument(argument.consequent, found)
    readArgument(argument.alternate, found)
  } else if (argument.type === 'TemplateLiteral' || argument.type === 'BinaryExpression')
    found.dynamic.push(argument.type)
}

/** Literal words of an expression that is shown as it is. */
function wordsIn(node) {
  if (node === null || node === undefined) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'JSXExpressionContainer') return wordsIn(node.expression)
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked)
  if (node.type === 'ConditionalExpression') return [...wordsIn(node.consequent), ...wordsIn(node.alternate)]
  if (node.type === 'LogicalExpression') return [...wordsIn(node.left), ...wordsIn(node.right)]
  return []
}

/** Names of the values and elements that a message needs, sorted: translations have the same. */
export function placeholdersOf(text, isRich) {
  const names = new Set()
  collect(parseMessage(text, { ignoreTag: !isRich }), names)
  return [...names].toSorted()
}

function collect(elements, names) {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue
    names.add(element.type === TYPE.tag ? `<${element.value}>` : element.value)
    if (element.type === TYPE.tag) collect(element.children, names)
    for (const option of Object.values(element.options ?? {})) collect(option.value, names)
  }
}

/** Names of the forms of each plural in a message. */
export function pluralsOf(text, isRich) {
  return pluralsIn(parseMessage(text, { ignoreTag: !isRich }))
}

function pluralsIn(elements) {
  return elements.flatMap((element) => [
    ...(element.type === TYPE.plural ? [Object.keys(element.options)] : []),
    ...pluralsIn(element.children ?? []),
    ...Object.values(element.options ?? {}).flatMap((option) => pluralsIn(option.value)),
  ])
}
