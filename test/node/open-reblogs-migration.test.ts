import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const names = readdirSync('migrations').toSorted()
const migration = names.find((name) => name.endsWith('_open_reblogs.sql')) ?? ''

it('earlier counts of reblogs lose followers-only reblogs, except those of followers-only statuses', () => {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  for (const name of names.filter((other) => other < migration))
    db.exec(readFileSync(`migrations/${name}`, 'utf8'))
  const write = (id: number, visibility: string, of: number | null, count = 0) =>
    db
      .prepare(
        `insert into statuses (id, account_id, local, visibility, reblog_of_id, conversation_id, reblogs_count, created_at)
          values (?, ?, 1, ?, ?, ?, ?, 0)`,
      )
      .run(id, id, visibility, of, id, count)
  write(1, 'public', null, 3)
  write(2, 'private', null, 1)
  write(3, 'unlisted', null, 1)
  for (const [id, visibility, of] of [
    [11, 'private', 1],
    [12, 'private', 1],
    [13, 'public', 1],
    [14, 'private', 2],
    [15, 'unlisted', 3],
  ] as const)
    write(id, visibility, of)

  db.exec(readFileSync(`migrations/${migration}`, 'utf8'))

  const counts = db.prepare('select reblogs_count as n from statuses where id <= 3 order by id').all()
  expect(counts).toMatchObject([{ n: 1 }, { n: 1 }, { n: 1 }])
})
