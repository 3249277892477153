// SQL that a restore is made of: whole statements without parameters, which run here and through wrangler alike.

/** D1 takes statements of 100 kB. */
const mostBytes = 90_000

/** Text that collects a value of any length, which no single statement could hold. */
const piecesTable = 'fieldfare_restore_pieces'

export const progressTable = 'fieldfare_restore'

export const literal = (text) => `'${text.replaceAll("'", "''")}'`
export const quoted = (name) => `"${name}"`

/** Tables that a restore itself needs; the last step drops them. */
export const openingStatements = [
  `create table ${progressTable} (step text primary key, data text not null default '')`,
  `create table ${piecesTable} (number integer primary key, text text not null)`,
]
export const closingStatements = [`drop table ${progressTable}`, `drop table ${piecesTable}`]

export const noteStep = (step, data = '') =>
  `insert into ${progressTable} (step, data) values (${literal(step)}, ${literal(data)})`

/**
 * Foreign keys of a table, as { column, table, to, way } where `way` is the handling of a row whose parent is missing:
 * `drop`, or `clear` where the column may be null. `isSelf`: the parent is in the same table.
 */
export function referencesOf(name, { columns, keys }) {
  return keys.map(({ table, from, to, on_delete: onDelete }) => {
    const mayBeNull = columns.find((column) => column.name === from).notnull === 0
    return {
      column: from,
      table,
      to,
      isSelf: table === name,
      way: mayBeNull && onDelete !== 'CASCADE' ? 'clear' : 'drop',
    }
  })
}

/**
 * Statements that insert rows of a table: lists of values as JSON, in the order of `columns`. Rows whose parents are
 * missing are left out, or inserted without naming them. A later row replaces an earlier one with the same unique value.
 *
 * Parents within the table come first: in the first pass rows that have none there, in the second the others.
 */
export function insertsOf({ table, columns, references, lines, pass }) {
  const own = references.filter(({ isSelf }) => isSelf)
  const cell = (name) => `item.value ->> ${columns.indexOf(name)}`
  const parent = ({ table: of, to, column }) =>
    `exists (select 1 from ${quoted(of)} as parent where parent.${quoted(to)} = ${cell(column)})`
  const inserted = (name) => {
    const reference = references.find(({ column, way }) => column === name && way === 'clear')
    if (reference === undefined) return cell(name)
    return reference.isSelf ? 'null' : `case when ${parent(reference)} then ${cell(name)} end`
  }
  const conditions = [
    'true',
    ...references
      .filter(({ way, isSelf }) => way === 'drop' && !isSelf)
      .map((reference) => `(${cell(reference.column)} is null or ${parent(reference)})`),
    ...own
      .filter(({ way }) => way === 'drop')
      .map((reference) => (pass === 1 ? `${cell(reference.column)} is null` : parent(reference))),
  ]
  const insert = (source) => `insert or replace into ${quoted(table)} (${columns.map(quoted).join(', ')})
select ${columns.map(inserted).join(', ')} from ${source} as item where ${conditions.join(' and ')}`
  const update =
    ({ column, to }) =>
    (source) =>
      `update ${quoted(table)} set ${quoted(column)} = given.parent from
(select ${cell(to)} as child, ${cell(column)} as parent from ${source} as item) as given
where ${quoted(table)}.${quoted(to)} = given.child
and exists (select 1 from ${quoted(table)} as other where other.${quoted(to)} = given.parent)`
  const makers =
    pass === 1 ? [insert] : own.map((reference) => (reference.way === 'drop' ? insert : update(reference)))
  return chunksOf(linesOfPass(lines, { columns, own, pass })).flatMap((chunk) =>
    makers.flatMap((make) => fed(make, chunk)),
  )
}

/** The second pass is about rows that name another of the table. */
function linesOfPass(lines, { columns, own, pass }) {
  if (pass === 1) return lines
  const places = own.map(({ column }) => columns.indexOf(column))
  return lines.filter((line) => {
    const values = JSON.parse(line)
    return places.some((place) => values[place] !== null)
  })
}

/** Lists of lines that fit a statement; a longer line comes alone. */
function chunksOf(lines) {
  const chunks = []
  let room = 0
  for (const line of lines) {
    const bytes = Buffer.byteLength(literal(line)) + 1
    if (bytes > room) {
      chunks.push([])
      room = mostBytes
    }
    chunks.at(-1).push(line)
    room -= bytes
  }
  return chunks
}

/** A statement fed with lines, from a literal or, where that would be too long, from pieces stored before. */
function fed(make, lines) {
  const json = `[${lines.join(',')}]`
  if (Buffer.byteLength(literal(json)) <= mostBytes + 2) return [make(`json_each(${literal(json)})`)]
  const pieces = []
  // Characters outside the first plane are pairs, which must stay together: a half is no text.
  for (let from = 0; from < json.length; ) {
    let to = Math.min(json.length, from + mostBytes / 4)
    if (/[\ud800-\udbff]/.test(json[to - 1])) to -= 1
    pieces.push(json.slice(from, to))
    from = to
  }
  return [
    `delete from ${piecesTable}`,
    ...pieces.map(
      (piece, number) => `insert into ${piecesTable} (number, text) values (${number}, ${literal(piece)})`,
    ),
    make(`json_each((select group_concat(text, '' order by number) from ${piecesTable}))`),
    `delete from ${piecesTable}`,
  ]
}
