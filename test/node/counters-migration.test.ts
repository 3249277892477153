import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

/** Figures of before that counted what stays on this server, and answers that are not for everybody. */

const names = readdirSync('migrations').toSorted()
const migration = names.find((name) => name.endsWith('_figures.sql')) ?? ''

function before(): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  for (const name of names.filter((other) => other < migration))
    db.exec(readFileSync(`migrations/${name}`, 'utf8'))
  for (const id of [1, 2]) {
    db.exec(
      `insert into accounts (id, username, statuses_count, created_at, updated_at) values (${id}, 'p${id}', 5, 0, 0)`,
    )
    db.exec(
      `insert into users (account_id, email, password_hash, last_active_at, created_at) values (${id}, '${id}@mail.test', '', 0, 0)`,
    )
  }
  db.exec(
    `update counters set value = 10 where name = 'statuses'; update counters set value = 4 where name = 'replies'`,
  )
  return db
}

interface Row {
  readonly id: number
  readonly by: number
  readonly answers?: number
  readonly visibility?: string
  readonly localOnly?: boolean
}

function write(db: DatabaseSync, { id, by, answers, visibility = 'public', localOnly = false }: Row): void {
  db.prepare(
    `insert into statuses (id, account_id, local, visibility, local_only, in_reply_to_id, conversation_id,
      replies_count, quotes_count, created_at) values (?, ?, 1, ?, ?, ?, ?, 3, 3, 0)`,
  ).run(id, by, visibility, localOnly ? 1 : 0, answers ?? null, id)
}

it('a migration sets counters to public statuses', () => {
  const db = before()
  write(db, { id: 10, by: 1 })
  write(db, { id: 11, by: 1, localOnly: true })
  write(db, { id: 12, by: 1, localOnly: true, visibility: 'direct' })
  write(db, { id: 13, by: 2, answers: 10, localOnly: true })
  write(db, { id: 14, by: 2, answers: 10 })
  write(db, { id: 15, by: 2, answers: 10, visibility: 'private' })
  write(db, { id: 16, by: 2, answers: 11, localOnly: true })
  db.exec(`insert into quotes (status_id, account_id, quoted_status_id, quoted_uri, state, created_at)
    values (13, 2, 10, '', 'accepted', 0), (14, 2, 10, '', 'accepted', 0)`)

  db.exec(readFileSync(`migrations/${migration}`, 'utf8'))

  expect(db.prepare('select statuses_count as n from accounts order by id').all()).toMatchObject([
    { n: 4 },
    { n: 3 },
  ])
  const posts = db
    .prepare('select id, replies_count as r, quotes_count as q from statuses where id in (10, 11)')
    .all()
  expect(posts).toMatchObject([
    { id: 10, r: 2, q: 2 },
    { id: 11, r: 3, q: 3 },
  ])
  const counters = db.prepare(
    `select name, value from counters where name in ('statuses', 'replies') order by name`,
  )
  expect(counters.all()).toMatchObject([
    { name: 'replies', value: 1 },
    { name: 'statuses', value: 7 },
  ])
})
