import { escapeHtml } from '../../lib/html'
import { type ParsedText, parseLine, parseText } from './parse'
import { findEntities, type Hashtag, type Mention, mentionKey, type TextEntity } from './scan'

export interface MentionTarget {
  /** The profile page, not the actor id. */
  readonly url: string
  readonly username: string
  /** `name` for a local account, `name@host` for a remote one. */
  readonly acct: string
}

export interface TextLinks {
  /** Resolves a mention to its account; null leaves it as plain text. */
  mention(mention: Mention): MentionTarget | null
  /** The page of a hashtag; `name` is normalised and not yet percent-encoded. */
  tagUrl(name: string): string
}

export interface LinkStyle {
  /** Adds rel="me", for profile fields. */
  readonly relMe?: boolean
  /** Shows the host of every remote account, for profile fields. */
  readonly withDomains?: boolean
}

const DISPLAYED_CHARACTERS = 30
const hiddenPrefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i
const LINK_REL = 'nofollow noopener noreferrer'

/** Renders the HTML of a text, with its entities as the links Mastodon clients recognise. */
export function renderText(parsed: ParsedText, links: TextLinks, style: LinkStyle = {}): string {
  const writer = new LinkWriter(links, parsed.mentions, style)
  return parsed.pieces.map((piece) => (typeof piece === 'string' ? piece : writer.write(piece))).join('')
}

class LinkWriter {
  private readonly targets = new Map<string, MentionTarget | null>()
  private readonly ambiguous: ReadonlySet<string>

  constructor(
    private readonly links: TextLinks,
    mentions: readonly Mention[],
    private readonly style: LinkStyle,
  ) {
    for (const mention of mentions) this.targets.set(mentionKey(mention), links.mention(mention))
    this.ambiguous = sharedUsernames(this.targets.values())
  }

  write(entity: TextEntity): string {
    switch (entity.kind) {
      case 'url':
        return this.url(entity.url)
      case 'hashtag':
        return this.hashtag(entity.hashtag)
      case 'mention':
        return this.mention(entity.mention, entity.typed)
    }
  }

  /** A bare address: usual scheme and `www.` hidden, thirty characters shown, the rest hidden too. */
  private url(url: string): string {
    const prefix = hiddenPrefix.exec(url)?.[0] ?? ''
    const end = cutBetweenCharacters(url, prefix.length + DISPLAYED_CHARACTERS)
    const rest = url.slice(end)
    const rel = this.style.relMe === true ? `${LINK_REL} me` : LINK_REL
    return (
      `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">` +
      `<span class="invisible">${escapeHtml(prefix)}</span>` +
      `<span class="${rest === '' ? '' : 'ellipsis'}">${escapeHtml(url.slice(prefix.length, end))}</span>` +
      `<span class="invisible">${escapeHtml(rest)}</span></a>`
    )
  }

  private hashtag({ name, display }: Hashtag): string {
    const url = escapeHtml(this.links.tagUrl(name))
    return `<a href="${url}" class="mention hashtag" rel="tag">#<span>${escapeHtml(display)}</span></a>`
  }

  private mention(mention: Mention, typed: string): string {
    const target = this.targets.get(mentionKey(mention)) ?? null
    if (target === null) return escapeHtml(typed)
    const isAmbiguous = this.ambiguous.has(target.username.toLowerCase())
    const shown = isAmbiguous || this.style.withDomains === true ? target.acct : target.username
    return (
      '<span class="h-card" translate="no">' +
      `<a href="${escapeHtml(target.url)}" class="u-url mention">@<span>${escapeHtml(shown)}</span></a></span>`
    )
  }
}

// Mentioned accounts with equal usernames: only their hosts distinguish them.
function sharedUsernames(targets: Iterable<MentionTarget | null>): Set<string> {
  const acctOf = new Map<string, string>()
  const shared = new Set<string>()
  for (const target of targets) {
    if (target === null) continue
    const username = target.username.toLowerCase()
    const acct = target.acct.toLowerCase()
    if ((acctOf.get(username) ?? acct) !== acct) shared.add(username)
    acctOf.set(username, acct)
  }
  return shared
}

function cutBetweenCharacters(text: string, index: number): number {
  const isInsidePair = /[\udc00-\udfff]/.test(text.charAt(index))
  return isInsidePair ? index + 1 : index
}

/** Renders a biography, like a plain status. */
export function renderPlainText(text: string, links: TextLinks): string {
  return renderText(parseText(text, 'text/plain'), links)
}

/** Renders a profile field's value: one line, no paragraph, links with rel="me". */
export function renderFieldValue(text: string, links: TextLinks): string {
  return renderText(parseLine(text), links, { relMe: true, withDomains: true })
}

/**
 * For each field value, the https address to verify, or null.
 *
 * Only a value that is a single address can be verified, and, as in Mastodon, only if it has no credentials and
 * its host is written in ASCII: a look-alike host must not earn the check mark.
 */
export function findFieldLinks(values: readonly string[]): (string | null)[] {
  return values.map((value) => {
    const typed = value.trim()
    const [entity] = findEntities(typed)
    const isWhole = entity?.kind === 'url' && entity.start === 0 && entity.end === typed.length
    return isWhole && isVerifiable(typed) ? typed : null
  })
}

function isVerifiable(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && address.toLowerCase().startsWith(`https://${url.host}`)
}

/** A link to a quoted status for software without quotes; other software hides the class. */
export function quoteReference(address: string): string {
  const url = escapeHtml(address)
  return `<p class="quote-inline">RE: <a href="${url}" target="_blank" rel="nofollow noopener noreferrer">${url}</a></p>`
}
