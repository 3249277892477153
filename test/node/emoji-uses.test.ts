import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'

const name = '0026_emoji_uses.sql'
const sqlOf = (file: string) => readFileSync(`migrations/${file}`, 'utf8')

/** A database as it was before, with what was written then, after the migration. */
function migrated(write: (db: DatabaseSync) => void) {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const before = readdirSync('migrations').filter((file) => file.endsWith('.sql') && file < name)
  for (const file of before.toSorted()) db.exec(sqlOf(file))
  write(db)
  db.exec(sqlOf(name))
  return db.prepare('select shortcode, kind, subject_id from emoji_uses order by subject_id, shortcode').all()
}

function status(db: DatabaseSync, id: number, { text = '', spoiler = '', local = 1 } = {}): void {
  db.prepare(
    `insert into statuses (id, account_id, local, visibility, text, spoiler_text, conversation_id, created_at)
      values (?, 1, ?, 'public', ?, ?, ?, 0)`,
  ).run(id, local, text, spoiler, id)
}

describe('earlier texts of this server', () => {
  it('earlier texts of this server are indexed by their shortcodes', () => {
    const found = migrated((db) => {
      status(db, 1, { text: 'a :wren: and :two_owls: at https://a.test/', spoiler: ':robin:' })
      status(db, 2, { text: 'nothing: to see' })
      status(db, 3, { text: ':wren: elsewhere', local: 0 })
      status(db, 4, { text: 'twice :wren: :wren:' })
    })
    const use = (shortcode: string, id: number) => ({ shortcode, kind: 'status', subject_id: id })
    expect(found.map((row) => ({ ...row }))).toEqual([
      ...['robin', 'two_owls', 'wren'].map((shortcode) => use(shortcode, 1)),
      use('wren', 4),
    ])
  })
})
