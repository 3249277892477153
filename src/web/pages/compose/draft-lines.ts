import type { DraftContext, DraftRow } from '../../../domain/drafts/store'
import type { TranslateText } from '../../../lib/translate'
import { paths } from '../../paths'
import type { WaitingDraft } from '../../posts/quick-composer'
import type { Content } from './form'

/** Address of the composer that a draft opens in. */
export function composerPath(context: string): string {
  const [kind, id] = context.split(':')
  const name = kind === 'reply' ? 'reply_to' : kind
  return id === undefined ? paths.publish : `${paths.publish}?${name}=${id}`
}

/** A draft as a line that leads to its composer; null for none. */
export function waitingDraft(row: DraftRow | null): WaitingDraft | null {
  if (row === null) return null
  const { context, fields, updatedAt: at } = row
  return { beginning: beginningOf(fields['status'] ?? ''), at, path: composerPath(context) }
}

/** Subject of what is typed into a composer. */
export function contextOf({
  edited,
  scheduled,
  replyTo,
  quoted,
}: Pick<Content, 'edited' | 'scheduled' | 'replyTo' | 'quoted'>): DraftContext {
  if (scheduled !== null) return `scheduled:${scheduled}`
  if (edited !== null) return `edit:${edited}`
  if (replyTo !== null) return `reply:${replyTo}`
  return quoted === null ? 'new' : `quote:${quoted}`
}

/** The subject in a field of a form; null for anything else. */
export function readContext(text: string): DraftContext | null {
  if (text === 'new') return text
  const [, kind, id] = /^(reply|quote|edit|scheduled):(\d{1,16})$/.exec(text) ?? []
  const known = (['reply', 'quote', 'edit', 'scheduled'] as const).find((one) => one === kind)
  return known === undefined ? null : `${known}:${Number(id)}`
}

/** Names of what drafts are about, by the kind of their subject. */
export function draftKinds(t: TranslateText): Readonly<Record<string, string>> {
  return {
    new: t('client.newPost'),
    reply: t('common.reply'),
    quote: t('client.quote'),
    edit: t('client.editPost'),
    scheduled: t('client.editScheduledPost'),
  }
}

/** The beginning of a text, on one line. */
export function beginningOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line === '' ? '…' : line.slice(0, 120)
}
