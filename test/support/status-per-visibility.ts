import { given, type TestAccount } from './given'
import { storedStatus } from './given-stored'

/**
 * Posts of one person in every way a post can be seen, each with the hashtag and saying which it is: `said-openly` is
 * public, `said-quietly` unlisted, `said-to-followers`, `said-to-one`, `said-at-home` never leaves the server,
 * `said-in-answer` replies to somebody, `said-to-oneself` to an own post, `said-again` is shared.
 */
export async function statusPerVisibility(by: TestAccount, tag: string): Promise<void> {
  const other = await given.account()
  const put = (words: string, more: object = {}) =>
    storedStatus({ accountId: by.id, content: `<p>${words}</p>`, tags: [tag], ...more })
  const own = await put('said-openly')
  await put('said-quietly', { visibility: 'unlisted' })
  await put('said-to-followers', { visibility: 'private' })
  await put('said-to-one', { visibility: 'direct' })
  await put('said-at-home', { localOnly: true })
  const shared = await storedStatus({ accountId: other.id, content: '<p>said-again</p>' })
  await put('said-in-answer', { inReplyToId: shared, inReplyToAccountId: other.id })
  await put('said-to-oneself', { inReplyToId: own, inReplyToAccountId: by.id })
  await storedStatus({ accountId: by.id, content: '', reblogOfId: shared })
}
