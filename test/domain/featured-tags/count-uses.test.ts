import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { countTagUses } from '../../../src/domain/featured-tags/feature'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { asInvocation } from '../../support/invocations'
import { numbers } from '../../support/masses'
import { runJob } from '../../support/run-job'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/featured_tags'

let stored = 0

/** Statuses older than those that requests make: each second has the hashtag, each tenth is for followers only. */
async function older(author: TestAccount, tag: string, count: number): Promise<readonly number[]> {
  stored += 1
  const from = stored * 100_000
  await env.DB.batch([
    env.DB.prepare(`insert into statuses (id, account_id, local, visibility, tags, conversation_id, created_at)
      select ${from} + i, ${author.id}, 1, iif(i % 10 = 0, 'private', 'public'),
        iif(i % 2 = 0, json_array(json_object('name', ?1)), '[]'), ${from} + i, ${clock.now().getTime()}
      from ${numbers(count)}`).bind(tag),
    env.DB.prepare(`insert into status_tags (tag_id, status_id)
      select (select id from tags where name = ?1), ${from} + i from ${numbers(count)} where i % 2 = 0`).bind(
      tag,
    ),
  ])
  return Array.from({ length: count }, (_, at) => from + at)
}

const Featured = z.array(z.object({ id: z.string(), statuses_count: z.string() }))

const countOf = async (author: TestAccount) =>
  Featured.parse((await as(author).get(path)).body).map((featured) => Number(featured.statuses_count))

/** An author of `count` older statuses who features their hashtag: the response, and the jobs that go on. */
async function featured(count: number) {
  const [author, tag, jobs] = [await given.account(), freshName('bird'), [] as Job[]]
  await as(author).post('/api/v1/statuses', { status: `#${tag}` })
  const ids = await older(author, tag, count)
  const overrides = { jobs: { send: async (job: Job) => void jobs.push(job) } }
  const response = await as(author).post(path, { name: tag }, { overrides })
  const work = async () => {
    for (const job of jobs.splice(0)) await runJob(context(overrides), job)
  }
  return { author, tag, ids, jobs, work, response }
}

/** Of `count` older statuses and one by a request, those that have the hashtag and are not private. */
const usesAmong = (count: number) => 1 + count / 2 - count / 10

describe('uses of a hashtag that an author features', () => {
  it('includes all uses in the response where the author wrote a few hundred posts', async () => {
    const { author, jobs, response } = await featured(300)
    expect(response).toMatchObject({ status: 200, body: { statuses_count: String(usesAmong(300)) } })
    expect(jobs.filter(({ kind }) => kind === 'count-tag-uses')).toEqual([])
    expect(await countOf(author)).toEqual([usesAmong(300)])
  })

  it('counts uses in parts where the author wrote thousands, with at most 2,000 rows per part', async () => {
    const count = 9_000
    const { author, jobs, work, response } = await featured(count)
    expect(response.costs.rowsRead).toBeLessThanOrEqual(2_000)
    expect(jobs).toContainEqual({ kind: 'count-tag-uses', featuredId: expect.any(Number) })
    for (let runs = 0; jobs.length > 0 && runs < 10; runs += 1) await work()
    expect(await countOf(author)).toEqual([usesAmong(count)])
  })

  it('counts the same where parts run twice and where posts are deleted in the meantime', async () => {
    const count = 6_000
    const { author, tag, ids, jobs, work } = await featured(count)
    const [first, last] = [ids[2], ids.at(-2)]
    for (const id of [first, last])
      expect((await as(author).delete(`/api/v1/statuses/${id}`)).status).toBe(200)
    await as(author).post('/api/v1/statuses', { status: `One more #${tag}` })
    const [job] = jobs.filter(({ kind }) => kind === 'count-tag-uses')
    if (job?.kind !== 'count-tag-uses') throw new Error('nothing is left to count')
    const again = () => asInvocation('twice', () => countTagUses(context(), job.featuredId))
    await Promise.all([again(), again()])
    for (let runs = 0; jobs.length > 0 && runs < 10; runs += 1) await work()
    await again()
    expect(await countOf(author)).toEqual([usesAmong(count) - 2 + 1])
  })
})
