import { expect, it } from 'vitest'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { storedCollection } from '../support/given-collection'
import { signedIn } from '../support/members'

const origin = 'https://fieldfare.test'
const tags = [
  'Wren',
  'crème',
  'ＯＷＬ',
  'مي\u200cخواهم',
  'ශ්\u200dරී',
  'বাংলাদেশ\u200d',
  'a·b',
  '2024_05',
  'Straße',
]

/** The addresses of hashtags that a page or an answer of the API names. */
function hashtagsIn(text: string): readonly string[] {
  const found = text.matchAll(/https:\/\/fieldfare\.test(\/(?:tags|@\w+\/tagged)\/[^"\\<\s]+)/g)
  return [...new Set([...found].map(([, path = '']) => path))]
}

it('every hashtag on every page and in every response links to a page', async () => {
  const { member, browser } = await signedIn()
  const words = tags.map((tag) => `#${tag}`).join(' ')
  await as(member).patch('/api/v1/accounts/update_credentials', {
    note: words,
    fields_attributes: [{ name: 'Likes', value: words }],
  })
  const { id } = await given.status({ by: member, text: words })
  await given.status({ by: member, text: words, visibility: 'private' })
  for (const name of tags) await as(member).post('/api/v1/featured_tags', { name })
  const bob = await given.account()
  const collection = await storedCollection({ by: member, of: [bob], tag: 'owls' })
  const texts: string[] = []
  const account = `/@${member.username}`
  for (const path of [
    account,
    `${account}/${id}`,
    `${account}/${id}/embed`,
    `/collections/${collection.id}`,
    '/start',
  ])
    texts.push((await browser.get(path)).html.replaceAll('href="/tags', `href="${origin}/tags`))
  for (const path of [
    `/api/v1/statuses/${id}`,
    `/api/v1/accounts/${member.id}/featured_tags`,
    '/api/v1/tags/Wren',
  ])
    texts.push(JSON.stringify((await as(member).get(path)).body))
  const links = [...new Set(texts.flatMap(hashtagsIn))]
  expect(links.length).toBeGreaterThan(2 * tags.length)
  for (const path of links) expect([path, (await new Browser().get(path)).status]).toEqual([path, 200])
})
