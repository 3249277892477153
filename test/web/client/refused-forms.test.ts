import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { scriptAddresses } from '../../../src/lib/assets'
import { as } from '../../support/as'
import type { Page } from '../../support/browser'
import { given } from '../../support/given'
import { signedIn } from '../../support/members'

const addresses = scriptAddresses('https://fieldfare.test', 'client.js')

/** Scripts of the client that a page loads, and those that its policy allows. */
function scriptsOf({ html, headers }: Page) {
  const policy = headers.get('content-security-policy') ?? ''
  const loaded = [...html.matchAll(/<script[^>]* src="([^"?]*)/g)].map(
    ([, path]) => `https://fieldfare.test${path}`,
  )
  return { loaded, refused: loaded.filter((address) => !policy.includes(address)) }
}

describe('a page of the client after a refused form', () => {
  it('allows the scripts that it loads, and shows posts with their age', async () => {
    const { browser } = await signedIn()
    const author = await given.account()
    const { body } = await as(author).post('/api/v1/statuses', { status: 'Hello' })
    const { id } = Status.parse(body)
    const composer = { press: 'post', status: 'x'.repeat(9_000) }
    const answers = [
      await browser.fill(`/publish?reply_to=${id}`, composer, { action: '/publish' }),
      await browser.fill(`/@${author.username}`, { act: 'endorse' }, { action: `/accounts/${author.id}` }),
      await browser.fill(`/accounts/${author.id}/note`, { comment: 'x'.repeat(9_000) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422])
    for (const answer of answers) {
      const { loaded, refused } = scriptsOf(answer)
      expect(loaded).toContain(addresses[0])
      expect(refused).toEqual([])
    }
    expect(answers[0]?.html).toMatch(/<time[^>]*>1 sec<\/time>/)
  })

  it('loads no script where the account waits for approval', async () => {
    const { browser } = await signedIn({ user: { approved: false } })
    expect(scriptsOf(await browser.get('/home'))).toEqual({ loaded: [], refused: [] })
  })
})
