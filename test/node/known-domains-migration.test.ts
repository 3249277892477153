import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const names = readdirSync('migrations').toSorted()
const migration = names.find((name) => name.endsWith('_known_domains.sql')) ?? ''

it('stores servers met before and after the migration once each, by their labels from the right', () => {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  for (const name of names.filter((other) => other < migration))
    db.exec(readFileSync(`migrations/${name}`, 'utf8'))
  const meet = (id: number, domain: string | null) =>
    db
      .prepare('insert into accounts (id, username, domain, created_at, updated_at) values (?, ?, ?, 0, 0)')
      .run(id, `u${id}`, domain)
  meet(1, null)
  meet(2, 'a.b.example')
  meet(3, 'a.b.example')

  db.exec(readFileSync(`migrations/${migration}`, 'utf8'))
  meet(4, 'a.b.example')
  meet(5, 'c.example:3000')
  meet(6, 'c.example:3000')
  meet(7, 'odd"]\\.example')
  meet(8, null)
  // Deletion of all accounts of a server, which comes back.
  db.exec('delete from accounts where id in (5, 6)')
  meet(9, 'c.example:3000')

  expect(db.prepare('select reversed, name from known_domains order by name').all()).toMatchObject([
    { reversed: 'example.b.a', name: 'a.b.example' },
    { reversed: 'example:3000.c', name: 'c.example:3000' },
    { reversed: 'example.odd"]\\', name: 'odd"]\\.example' },
  ])
})
