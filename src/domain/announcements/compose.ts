import { combineQueries, execute } from '../../db/query'
import { acctOf, profileUrl, tagUrl } from '../../lib/addresses'
import { ownSpelledOut } from '../../lib/handle'
import { findShortcodes } from '../../lib/text/emoji'
import { parseText } from '../../lib/text/parse'
import { renderText } from '../../lib/text/render'
import { mentionKey, type Mention as Named } from '../../lib/text/scan'
import type { Ctx } from '../../ports/ctx'
import { accountsByHandles, type Mentionable } from '../accounts/find'
import { emojisByShortcodes } from '../custom-emojis/shortcodes'
import { statusIdsByUrls } from './find'

/** Statuses linked in the text that the API shows with it. */
const maxStatuses = 10

/**
 * Renders the text of an announcement: URLs, mentions and hashtags become links; it is plain text otherwise. Returns
 * the columns that depend on it.
 */
export async function composeAnnouncement(ctx: Ctx, text: string) {
  const parsed = parseText(text, 'text/plain')
  const { origin, ownDomains } = ctx.config
  const shortcodes = findShortcodes(text)
  const references = await execute(
    ctx.db,
    combineQueries({
      accounts: accountsByHandles(
        ctx,
        parsed.mentions.map((mention) => ownSpelledOut(mention, ownDomains)),
      ),
      emojis: emojisByShortcodes(ctx, shortcodes),
      statuses: statusIdsByUrls(ctx, parsed.urls.slice(0, maxStatuses)),
    }),
  )
  const found = new Map(
    references.accounts
      .filter(({ suspendedAt }) => suspendedAt === null)
      .map((account) => [mentionKey(account), account]),
  )
  const accountOf = (mention: Named) => found.get(mentionKey(ownSpelledOut(mention, ownDomains))) ?? null
  const content = renderText(parsed, {
    mention: (mention) => {
      const account = accountOf(mention)
      return account === null ? null : linkTo(account, origin)
    },
    tagUrl: (name) => tagUrl(origin, name),
  })
  return {
    text,
    content,
    mentions: [...found.values()].map((account) => ({
      id: account.id,
      username: account.username,
      domain: account.domain,
      url: linkTo(account, origin).url,
    })),
    tags: parsed.hashtags,
    emojis: references.emojis,
    statusIds: [...new Set(references.statuses)],
  }
}

function linkTo(account: Mentionable, origin: string) {
  const { url, uri, username } = account
  return { url: url ?? uri ?? profileUrl(origin, username), username, acct: acctOf(account) }
}
