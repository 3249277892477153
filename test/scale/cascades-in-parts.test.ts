import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { removeAnnouncement } from '../../src/domain/announcements/change'
import { resumeStalledImports } from '../../src/domain/imports-exports/imports'
import { operator } from '../../src/domain/policy/permissions'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given } from '../support/given'
import { announced } from '../support/given-announcement'
import { jobsOf } from '../support/job-list'
import { memberMasses, numbers } from '../support/masses'
import { runJob } from '../support/run-job'
import { clock, context, settleLateWork } from '../support/test-app'

/** A context that counts rows: of all, and of each batch. */
function counting(jobs: ReturnType<typeof jobsOf>['jobs']) {
  const batches: number[] = []
  const counted = countingDb(env.DB, (statements) =>
    batches.push(statements.reduce((sum, { rowsRead, rowsWritten }) => sum + rowsRead + rowsWritten, 0)),
  )
  const couriers = { enqueue: async () => undefined, wake: async () => undefined }
  const ctx = context({ db: openDb(counted.db), jobs, couriers })
  return { ctx, batches, read: () => counted.read().rowsRead }
}

const run = (...texts: readonly string[]) => env.DB.batch(texts.map((text) => env.DB.prepare(text)))

describe('an announcement that very many members dismissed and reacted to', () => {
  const count = 2_500
  const rowsOf = (id: string) =>
    env.DB.prepare(`select (select count(*) from announcements where id = ?1) as announcements,
      (select count(*) from announcement_mutes where announcement_id = ?1) as dismissed,
      (select count(*) from announcement_reactions where announcement_id = ?1) as reactions`)
      .bind(Number(id))
      .first()

  async function popular() {
    const id = await announced('All will change')
    const from = await memberMasses(count)
    const members = `from users where account_id >= ${from} and account_id < ${from} + ${count}`
    await run(
      `insert into announcement_mutes (account_id, announcement_id) select account_id, ${id} ${members}`,
      `insert into announcement_reactions (announcement_id, account_id, name) select ${id}, account_id, '🎉' ${members}`,
    )
    return id
  }

  it('an announcement with very many reactions is deleted at 2,000 rows at most: hidden from members at once, its rows in parts that can run twice', async () => {
    const [id, reader] = [await popular(), await given.account()]
    const queue = jobsOf('continue-announcement-removal')
    const { ctx, batches, read } = counting(queue.jobs)
    await removeAnnouncement(ctx, operator, Number(id))
    expect(read()).toBeLessThanOrEqual(2_000)
    expect((await as(reader).get('/api/v1/announcements?with_dismissed=true')).body).toEqual([])
    await queue.runAll(ctx, 2)
    expect(await rowsOf(id)).toEqual({ announcements: 0, dismissed: 0, reactions: 0 })
    expect(Math.max(...batches)).toBeLessThanOrEqual(20_000)
  })

  it('an announcement with very many reactions is kept where a job names one that was not deleted', async () => {
    const id = await announced('All stays as it is')
    const queue = jobsOf('continue-announcement-removal')
    await runJob(counting(queue.jobs).ctx, {
      kind: 'continue-announcement-removal',
      announcementId: Number(id),
    })
    expect(await rowsOf(id)).toMatchObject({ announcements: 1 })
    await removeAnnouncement(context(), operator, Number(id))
    expect(await rowsOf(id)).toMatchObject({ announcements: 0 })
  })
})

describe('old imports with very many failures', () => {
  it('old imports with very many failures are deleted in parts', async () => {
    const owner = await given.account()
    const old = clock.now().getTime() - 30 * 86_400_000
    await run(
      `insert into imports (id, account_id, kind, state, total, created_at, progressed_at, finished_at)
        select 900 + i, ${owner.id}, 'blocking', 'finished', 4000, ${old}, ${old}, ${old} from ${numbers(2)}`,
      `insert into import_entries (import_id, key, entry, error) select 900 + i % 2, 'k' || i, '{}', 'x' from ${numbers(8_000)}`,
    )
    const left = () =>
      env.DB.prepare(`select (select count(*) from imports where id in (900, 901)) as imports,
        (select count(*) from import_entries where import_id in (900, 901)) as entries`).first()
    const { ctx, batches } = counting(jobsOf('run-import').jobs)
    await resumeStalledImports(ctx)
    expect(await left()).toMatchObject({ imports: 2 })
    for (let time = 0; time < 6; time += 1) await resumeStalledImports(ctx)
    expect(await left()).toEqual({ imports: 0, entries: 0 })
    expect(Math.max(...batches)).toBeLessThanOrEqual(20_000)
  })
})

describe('an account with an invitation that very many members used', () => {
  it('an account with a popular invitation is deleted at 2,000 rows at most, and its members are unlinked in parts', async () => {
    const [owner, from] = [await given.account(), await memberMasses(1_200)]
    await run(
      `insert into invites (id, code, account_id, uses, created_at) values (${from}, 'many', ${owner.id}, 1200, 0)`,
      `update users set invite_id = ${from} where account_id >= ${from} and account_id < ${from} + 1200`,
    )
    const queue = jobsOf('purge-account-statuses')
    const { ctx, batches, read } = counting(queue.jobs)
    await deleteOwnAccount(ctx, owner.id)
    expect(read()).toBeLessThanOrEqual(2_000)
    await settleLateWork()
    for (let job = queue.waiting.shift(); job !== undefined; job = queue.waiting.shift())
      await runJob(ctx, job)
    await runJob(ctx, { kind: 'purge-account-statuses', accountId: owner.id })
    await runJob(ctx, { kind: 'purge-account-statuses', accountId: owner.id })
    await runJob(ctx, { kind: 'purge-account-statuses', accountId: owner.id })
    const left =
      await env.DB.prepare(`select (select count(*) from invites where account_id = ${owner.id}) as invites,
      (select count(*) from users where invite_id = ${from}) as invited`).first()
    expect(left).toEqual({ invites: 0, invited: 0 })
    expect(Math.max(...batches)).toBeLessThanOrEqual(20_000)
  })
})
