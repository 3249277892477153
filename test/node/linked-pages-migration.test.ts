import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const names = readdirSync('migrations').toSorted()
const migration = names.find((name) => name.endsWith('_linked_pages.sql')) ?? ''

it('indexes statuses with links again, and no others', () => {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  for (const name of names.filter((other) => other < migration))
    db.exec(readFileSync(`migrations/${name}`, 'utf8'))
  const index = db.prepare('insert into status_search (rowid, text, traits) values (?, ?, ?)')
  index.run(1, 'wren', 'f1 pub')
  index.run(2, 'wren', 'f1 xlink0 pub')
  index.run(3, 'xlink0', 'f1 ximage0 w1')
  index.run(4, 'wren', 'f1 xlink0 w1')
  db.exec('insert into search_stale (status_id, turn) values (4, 5)')

  db.exec(readFileSync(`migrations/${migration}`, 'utf8'))

  const stale = db.prepare('select status_id as id, turn from search_stale order by status_id').all()
  expect(stale.map((row) => ({ ...row }))).toEqual([
    { id: 2, turn: 0 },
    { id: 4, turn: 6 },
  ])
})
