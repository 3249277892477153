import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { domainLimits } from '../../src/db/schema'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { freshName } from '../support/given'
import { context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const queue = fakeQueue()
const ask = async (what: string, body: Record<string, unknown> = {}) => {
  const answer = await setup.post(`/setup/domains/${what}`, body, { overrides: { jobs: queue.ctx.jobs } })
  await queue.work()
  return answer
}
const freshDomain = () => `${freshName('ordered')}.test`
const severityOf = async (domain: string) =>
  (await context().db.select().from(domainLimits).where(eq(domainLimits.domain, domain)))[0]?.severity

describe('the set-up routes about lists of limits', () => {
  it('import a file after a preview, and export it', async () => {
    const domain = freshDomain()
    const csv = `#domain,#severity\n${domain},silence`
    expect((await ask('import/preview', { csv })).body).toMatchObject({
      added: [{ domain, severity: 'silence' }],
      conflicts: [],
      unchanged_count: 0,
    })
    expect((await ask('import', { csv })).body).toMatchObject({ added_count: 1 })
    expect(await severityOf(domain)).toBe('silence')
    expect((await ask('export')).body).toMatchObject({ csv: expect.stringContaining(`${domain},silence,`) })
    expect(await ask('import', { csv: 'two words' })).toMatchObject({ status: 422 })
  })

  it('subscribe, review and end', async () => {
    const [domain, other] = [freshDomain(), freshDomain()]
    const url = `https://${freshName('lists')}.test/list.txt`
    fediverse.network.respond(url, () => new Response(`${domain}\n${other}`))
    const { body } = await ask('subscribe', { url })
    const id = Number(z.object({ id: z.string() }).parse(body).id)
    expect((await ask('lists')).body).toMatchObject({
      lists: expect.arrayContaining([expect.objectContaining({ url, has_pending_changes: true })]),
    })
    const found = (await ask('changes', { id })).body
    const { changes } = z
      .object({ changes: z.array(z.looseObject({ id: z.string(), domain: z.string() })) })
      .parse(found)
    expect(found).toMatchObject({ count: 2 })
    const chosen = changes.filter((change) => change.domain === other).map((change) => Number(change.id))
    expect((await ask('reject', { id, changes: chosen })).status).toBe(200)
    expect((await ask('approve', { id, changes: 'all' })).body).toMatchObject({ has_pending_changes: false })
    expect([await severityOf(domain), await severityOf(other)]).toEqual(['suspend', undefined])
    expect((await ask('check', { id })).status).toBe(200)
    expect((await ask('unsubscribe', { id, lift: true })).status).toBe(200)
    expect(await severityOf(domain)).toBeUndefined()
    expect((await ask('changes', { id })).status).toBe(404)
  })

  it('keep exceptions', async () => {
    const domain = freshDomain()
    const { body } = await ask('except', { domain, comment: 'Friends' })
    const id = Number(z.object({ id: z.string() }).parse(body).id)
    expect((await ask('exceptions')).body).toMatchObject({
      exceptions: expect.arrayContaining([expect.objectContaining({ domain, comment: 'Friends' })]),
    })
    expect((await ask('unexcept', { id })).status).toBe(200)
    expect((await ask('unexcept', { id })).status).toBe(404)
  })
})
