// Reference of variables and settings in docs/operate/configure.md: names, forms and defaults are those of the code,
// meanings are written in the document and stay.

/** Marks a row without a description. */
export const unwritten = 'NOT WRITTEN YET'

/** A table with a row for each fact { name, form, fallback }; `fallback` null leaves the default to the document. */
export function referenceTable(title, facts, before) {
  const known = rowsOf(before)
  const lines = facts.map(({ name, form, fallback }) => {
    const { fallback: written = 'none', meaning = unwritten } = known.get(name) ?? {}
    return [`\`${name}\``, form, fallback ?? written, meaning]
  })
  const line = (cells) => `| ${cells.join(' | ')} |`
  const head = [title, 'form', 'default', 'meaning']
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

/** Meanings and defaults by name: the last two cells of a row. */
function rowsOf(table) {
  const rows = table.split('\n').flatMap((line) => {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| |\s\|$/g, '').trim())
    const [, name] = /^`(\w+)`$/.exec(cells[0]) ?? []
    return name === undefined ? [] : [[name, { fallback: cells.at(-2), meaning: cells.at(-1) }]]
  })
  return new Map(rows)
}

/** Variables as the schema has them. */
export function variableFacts(fields) {
  return Object.entries(fields).map(([name, field]) => {
    const { success, data } = field.safeParse(undefined)
    const isGiven = success && data !== undefined && !isEmpty(data)
    return { name, form: field.description ?? 'a text', fallback: isGiven ? code(data) : null }
  })
}

const isEmpty = (value) => value === '' || (Array.isArray(value) && value.length === 0)
const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

/** Settings as the program knows them; those of pictures are made from the picture itself. */
export function settingFacts(kinds, defaults) {
  return kinds
    .filter(({ name }) => !/^thumbnail(Large|Blurhash)$/.test(name))
    .map((kind) => ({ name: kind.name, form: formOf(kind), fallback: defaultOf(defaults[kind.name]) }))
}

function formOf({ type, choices, minimum, maximum, nullable }) {
  const bounds = minimum === null ? '' : ` from ${minimum} to ${maximum}`
  const form = choices.length > 0 ? choices.map(code).join(', ') : `${type}${bounds}`
  return nullable ? `${form}, or \`null\`` : form
}

function defaultOf(value) {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty'
  return code(value)
}
