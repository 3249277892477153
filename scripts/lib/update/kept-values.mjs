// wrangler.toml of a new release with the values of one copy: ids and names that Cloudflare wrote, and variables.

/** Keys that name something in the account of the operator: theirs count, whatever a release says. */
const ownKeys = new Set([
  'account_id',
  'bucket_name',
  'database_id',
  'database_name',
  'dead_letter_queue',
  'id',
  'name',
  'namespace_id',
  'preview_database_id',
  'queue',
  'routes',
])

/**
 * Text of `target` with what `own` changed of `base`: `conflicts` names keys that the release changed too, by another value.
 * Comments and order are those of the release.
 */
export function keepValues({ base, own, target }) {
  const [before, mine, next] = [parse(base), parse(own), parse(target)]
  const conflicts = []
  for (const [id, table] of mine) {
    const [old, changed] = [before.get(id), next.get(id)]
    if (changed === undefined) {
      if (old === undefined) next.set(id, { ...table, head: `\n${table.head.trimStart()}` })
      continue
    }
    for (const key of new Set([...table.values.keys(), ...(old?.values.keys() ?? [])])) {
      const [was, is, becomes] = [old, table, changed].map((one) => one?.values.get(key))
      if (isSame(was, is) || isSame(is, becomes)) continue
      const isOwn = ownKeys.has(key) || id.startsWith('[vars]')
      if (isSame(was, becomes) || (isOwn && is !== undefined)) setValue(changed, key, is)
      else if (is !== undefined) conflicts.push(`${key} in ${id.split(' ')[0] || 'its first lines'}`)
    }
  }
  for (const id of before.keys()) if (!mine.has(id)) next.delete(id)
  return { text: [...next.values()].map(textOf).join(''), conflicts }
}

/**
 * Tables by header and what tells those of the same header apart. A table has its head (comments before it, and the header), and
 * its entries as they are written.
 */
function parse(text) {
  const tables = new Map()
  let [table, pending] = [{ header: '', head: '', entries: [] }, '']
  const finish = () => {
    const values = new Map(table.entries.flatMap(({ key, value }) => (key === null ? [] : [[key, value]])))
    tables.set(idOf(table.header, values, tables), { ...table, values })
  }
  for (const line of statementsOf(text)) {
    const header = /^\s*(\[\[?[^\]]+\]\]?)\s*(#.*)?$/.exec(line.trimEnd())?.[1]
    const entry = /^\s*([\w."-]+)\s*=\s*([\s\S]*?)\s*$/.exec(line)
    if (header !== undefined) {
      finish()
      table = { header, head: pending + line, entries: [] }
      pending = ''
    } else if (entry !== null) {
      table.entries.push({ key: entry[1], value: entry[2], text: pending + line })
      pending = ''
    } else pending += line
  }
  if (pending !== '') table.entries.push({ key: null, value: '', text: pending })
  finish()
  return tables
}

/** Lines, those of a list that goes on over several as one. */
function statementsOf(text) {
  const statements = []
  let depth = 0
  for (const line of text.split(/(?<=\n)/)) {
    if (depth > 0) statements.push(`${statements.pop()}${line}`)
    else statements.push(line)
    const bare = line.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '').replace(/#.*/, '')
    const isList = depth > 0 || /=/.test(bare)
    if (isList)
      depth += [...bare].reduce(
        (sum, sign) => sum + ('[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0),
        0,
      )
  }
  return statements
}

function idOf(header, values, tables) {
  const named =
    values.get('binding') ??
    values.get('tag') ??
    (/bindings|ratelimits|send_email/.test(header) ? values.get('name') : null)
  if (named != null) return `${header} ${plain(named)}`
  const ordinal = [...tables.keys()].filter((id) => id.startsWith(`${header} `)).length
  return `${header} ${ordinal}`
}

function setValue(table, key, value) {
  const index = table.entries.findIndex((entry) => entry.key === key)
  if (value === undefined) table.entries.splice(index, 1)
  else if (index !== -1)
    table.entries[index] = { ...table.entries[index], text: replaced(table.entries[index], value) }
  else {
    const last = table.entries.findLastIndex((entry) => entry.key !== null)
    table.entries.splice(last + 1, 0, { key, value, text: `${key} = ${value}\n` })
  }
}

function replaced({ text, value }, other) {
  const at = text.lastIndexOf(value)
  return text.slice(0, at) + other + text.slice(at + value.length)
}

function textOf({ head, entries }) {
  return head + entries.map(({ text }) => text).join('')
}

/** Value without the way in which it is written: Cloudflare writes files anew. */
function plain(value) {
  return value
    .replaceAll(/\s+/g, ' ')
    .replaceAll("'", '"')
    .replaceAll(/([[{]) | ([\]}])/g, '$1$2')
    .replaceAll(/,(?=[\]}])/g, '')
}

function isSame(one, other) {
  if (one === undefined || other === undefined) return one === other
  return plain(one) === plain(other)
}
