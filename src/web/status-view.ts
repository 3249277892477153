import type { Config } from '../config'
import type { Account } from '../contract/entities/account'
import type { MediaAttachment, PreviewCard, Status } from '../contract/entities/status'
import { htmlToText, sanitiseHtml } from '../lib/html'
import { isPlaceholderUrl } from '../view/urls'
import { emojisOf } from './emojis'
import type { AuthorView, CardView, MediaView } from './status-view-model'

export function authorView(config: Config, account: Account): AuthorView {
  return {
    name: account.display_name === '' ? account.username : account.display_name,
    emojis: emojisOf(account.emojis),
    handle: fullHandle(config, account),
    url: account.url ?? account.uri,
    avatarUrl: account.avatar_static,
  }
}

/** `@name@host`, also for local accounts: pages are read elsewhere. */
export function fullHandle(config: Config, { acct }: Pick<Account, 'acct'>): string {
  return acct.includes('@') ? `@${acct}` : `@${acct}@${config.domain}`
}

/** The text without the reference to the quoted status that software without quotes shows. */
export function contentOf({ content, quote }: Pick<Status, 'content' | 'quote'>): string {
  if (quote === null || !content.includes('quote-inline')) return content
  return sanitiseHtml(content, { withoutQuoteInline: true })
}

export function cardView({ url, title, description, provider_name: name, image }: PreviewCard): CardView {
  const provider = name === '' ? (URL.parse(url)?.host ?? '') : name
  return { url, title: title === '' ? provider : title, description, provider, imageUrl: image }
}

export function mediaView(media: MediaAttachment): MediaView {
  const { small, original } = media.meta ?? {}
  // A video is shown at its own size: its preview may be a small field of colours.
  const size = media.type === 'image' ? (small ?? original) : (original ?? small)
  return {
    kind: media.type,
    url: media.url ?? media.remote_url ?? '',
    previewUrl: isDrawn(media) ? null : media.preview_url,
    description: media.description ?? '',
    width: size?.width ?? null,
    height: size?.height ?? null,
  }
}

/** Whether the preview is a field of colours that the server draws for a video without a picture. */
function isDrawn({ type, preview_url: url }: MediaAttachment): boolean {
  return (type === 'video' || type === 'gifv') && url !== null && isPlaceholderUrl(url)
}

const titleCharacters = 80

/** A line for a title: the content warning, else the beginning of the text; null if there is neither. */
export function titleOf({
  spoiler_text: warning,
  ...status
}: Pick<Status, 'spoiler_text' | 'content' | 'quote'>): string | null {
  const text = warning === '' ? textOf(contentOf(status)) : warning.replaceAll(/\s+/g, ' ').trim()
  return text === '' ? null : shortened(text, titleCharacters)
}

function textOf(html: string): string {
  return htmlToText(html).replaceAll(/\s+/g, ' ').trim()
}

/** Cut between words where that leaves most of it, and never within a character. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  const space = cut.lastIndexOf(' ')
  return `${(space > most / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

const previewCharacters = 300

/** The beginning of a text for link previews; what stands behind a warning stays there. */
export function previewText(html: string, warning: string | null = null): string {
  return excerpt(warning ?? textOf(html))
}

/** The beginning of a text that may be long. */
export function excerpt(text: string): string {
  return text.length <= previewCharacters ? text : `${text.slice(0, previewCharacters - 1).toWellFormed()}…`
}

/** Whether an account may boost a status that it sees: its own for followers, and none for mentioned people only. */
export function mayReblog({ visibility, account }: Status, viewer: number): boolean {
  if (visibility === 'private') return Number(account.id) === viewer
  return visibility !== 'direct'
}
