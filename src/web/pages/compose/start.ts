import { acctOf } from '../../../contract/addresses'
import type { Status } from '../../../contract/entities/status'
import { parseHandle } from '../../../contract/handle'
import { mediaLimits } from '../../../contract/limits'
import type { ContentType, QuotePolicy, Visibility } from '../../../db/schema/statuses'
import type { Viewer } from '../../../domain/core/viewer'
import type { Scheduled } from '../../../domain/statuses/scheduled/find-scheduled'
import { preferencesOf } from '../../../domain/users/defaults'
import type { TextKey } from '../../../lib/translate'
import type { AppContext } from '../../../ports/app-env'
import { isVisibility } from '../../visibility-labels'
import type { Choices, Typed } from './form'
import { localTimeOf } from './local-time'
import type { TypedMedia } from './media-lines'
import { pollLengths, usualPollLength } from './parts'

/** Choices that a composer opens with: those of a new post of the member, and for a reply no wider than its parent. */
export function usualChoices(viewer: Viewer, parent: Status | null): Choices {
  const { visibility, quotePolicy, language } = preferencesOf(viewer)
  return {
    visibility: narrower(visibility, parent?.visibility ?? 'public'),
    quotePolicy,
    replyPolicy: 'public',
    contentType: viewer.settings.defaultContentType ?? 'text/plain',
    isLocalOnly: parent?.local_only === true,
    language: parent?.language ?? language ?? '',
    warning: parent?.spoiler_text ?? '',
  }
}

/** The choices of a post that is edited. */
export function choicesOf(status: {
  readonly spoilerText: string
  readonly visibility: Visibility
  readonly quotePolicy: QuotePolicy
  readonly contentType: ContentType
  readonly localOnly: boolean
  readonly language: string | null
}): Omit<Choices, 'replyPolicy'> {
  const { spoilerText: warning, visibility, quotePolicy, contentType, localOnly: isLocalOnly } = status
  return { warning, visibility, quotePolicy, contentType, isLocalOnly, language: status.language ?? '' }
}

/** A scheduled post as the composer opens it. */
export function scheduledAsTyped(typed: Typed, { row, media }: Scheduled, timeZone: string): Typed {
  const { params } = row
  const { poll } = params
  return {
    ...typed,
    text: params.text,
    warning: params.spoilerText,
    visibility: params.visibility ?? typed.visibility,
    quotePolicy: params.quotePolicy,
    replyPolicy: params.replyPolicy ?? typed.replyPolicy,
    contentType: params.contentType ?? typed.contentType,
    isLocalOnly: params.localOnly ?? false,
    language: params.language ?? typed.language,
    media: media.map(({ id, description }) => ({ id, description: description ?? '', focus: '' })),
    poll:
      poll === undefined
        ? null
        : {
            options: poll.options,
            expiresInSeconds: pollLengths.find((one) => one >= poll.expiresInSeconds) ?? usualPollLength,
            isMultiple: poll.multiple,
          },
    replyTo: params.inReplyToId ?? null,
    quoted: params.quotedId ?? null,
    scheduled: row.id,
    scheduledAt: localTimeOf(row.scheduledAt, timeZone),
  }
}

const widths = ['public', 'unlisted', 'private', 'direct'] as const

/** The narrower of two audiences. */
function narrower(one: (typeof widths)[number], other: (typeof widths)[number]) {
  return widths.indexOf(one) > widths.indexOf(other) ? one : other
}

/** The author of a post and the people it mentions, without the member, as the beginning of a reply. */
export function mentionsOf({ account, mentions }: Pick<Status, 'account' | 'mentions'>, own: string): string {
  const others = new Set([account.acct, ...mentions.map(({ acct }) => acct)])
  return mentionText([...others].filter((acct) => acct !== own))
}

/** The account that a link to the composer writes to, as the beginning of a post. */
export function addressee(c: AppContext): string {
  const handle = parseHandle(c.req.query('to') ?? '', c.get('ctx').config.ownDomains)
  return mentionText(handle === null ? [] : [acctOf(handle)])
}

function mentionText(accts: readonly string[]): string {
  return accts.map((acct) => `@${acct} `).join('')
}

/** The audience that a link to the composer asks for. */
export function askedVisibility(c: AppContext): Visibility | null {
  const asked = c.req.query('visibility') ?? ''
  return isVisibility(asked) ? asked : null
}

/** Text that share buttons of other sites send, in Mastodon's order. */
export function sharedText(c: AppContext): string {
  return ['title', 'text', 'url']
    .map((name) => (c.req.query(name) ?? '').trim())
    .filter((part) => part !== '')
    .join(' ')
}

/** Parts of what was shared that the composer lacks. */
export type LeftOut = 'files' | 'text'

const leftOutTexts = {
  files: 'client.someFilesNotTaken',
  text: 'client.onlyBeginningTaken',
} as const

/** The sentence for parts of a share that were left out; none where all was taken. */
export function leftOutOf(c: AppContext): readonly TextKey[] {
  const asked = c.req.query('left_out')
  return asked === 'files' || asked === 'text' ? [leftOutTexts[asked]] : []
}

/** Uploads that a share brought along, as the composer's form has them: only those count that are the member's own and free. */
export function sharedMedia(c: AppContext): readonly TypedMedia[] {
  const asked = c.req.query('media') ?? ''
  const ids = asked
    .slice(0, 100)
    .split(',')
    .filter((id) => /^\d{1,16}$/.test(id))
  return ids.slice(0, mediaLimits.perStatus).map((id) => ({ id: Number(id), description: '', focus: '' }))
}
