import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

/** Direct statuses written before there were conversations. */

const [initial = '', federation = '', migration = ''] = [
  '0001_initial',
  '0002_federation',
  '0006_conversations',
].map((name) => readFileSync(`migrations/${name}.sql`, 'utf8'))

const [alice, bob, remote, blocked] = [1, 2, 3, 4]

function before(): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  db.exec(initial)
  db.exec(federation)
  for (const id of [alice, bob, remote, blocked]) {
    const domain = id === remote ? 'elsewhere.test' : null
    db.prepare(
      `insert into accounts (id, username, domain, created_at, updated_at) values (?, ?, ?, 0, 0)`,
    ).run(id, `person${id}`, domain)
    if (domain === null)
      db.prepare(
        `insert into users (account_id, email, password_hash, last_active_at, created_at) values (?, ?, '', 0, 0)`,
      ).run(id, `${id}@mail.test`)
  }
  db.exec(
    `insert into blocks (id, account_id, target_account_id, created_at) values (1, ${alice}, ${blocked}, 0)`,
  )
  return db
}

interface Row {
  readonly id: number
  readonly by: number
  readonly to: readonly number[]
  readonly thread: number
  readonly visibility?: string
}

function write(db: DatabaseSync, { id, by, to, thread, visibility = 'direct' }: Row): void {
  const mentions = JSON.stringify(to.map((person) => ({ id: person, username: `person${person}` })))
  db.prepare(
    `insert into statuses (id, account_id, local, visibility, conversation_id, mentions, created_at)
      values (?, ?, 1, ?, ?, ?, 0)`,
  ).run(id, by, visibility, thread, mentions)
}

it('direct statuses become read conversations of every local account, except hidden accounts', () => {
  const db = before()
  write(db, { id: 10, by: alice, to: [remote], thread: 10 })
  write(db, { id: 11, by: remote, to: [alice], thread: 10 })
  write(db, { id: 12, by: alice, to: [bob, remote], thread: 10 })
  write(db, { id: 13, by: blocked, to: [alice], thread: 13 })
  write(db, { id: 14, by: bob, to: [], thread: 14 })
  write(db, { id: 15, by: bob, to: [alice], thread: 15, visibility: 'public' })
  db.exec(migration)
  const rows = db.prepare('select * from conversations order by account_id, id').all()
  const row = (account: number, id: number, last: number, thread: number, others: readonly number[]) => ({
    account_id: account,
    id,
    conversation_id: thread,
    participants: JSON.stringify(others),
    last_status_id: last,
    unread: 0,
  })
  expect(rows.map((found) => ({ ...found }))).toEqual([
    row(alice, 10, 11, 10, [remote]),
    row(alice, 12, 12, 10, [bob, remote]),
    row(bob, 12, 12, 10, [alice, remote]),
    row(bob, 14, 14, 14, []),
    row(blocked, 13, 13, 13, [alice]),
  ])
})

it('finds conversations by their index', () => {
  const db = before()
  db.exec(migration)
  const plan = db
    .prepare(
      `explain query plan select id from statuses s where s.visibility = 'direct' and s.conversation_id = 1
        and s.id >= 1 order by s.id desc limit 1`,
    )
    .all()
  expect(JSON.stringify(plan)).toContain('statuses_direct')
})
