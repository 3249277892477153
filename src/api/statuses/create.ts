import * as z from 'zod'
import { Status } from '../../contract/entities/status'
import { ScheduledStatus } from '../../contract/entities/status-details'
import { InteractionPolicy, QuotePolicy, Visibility } from '../../contract/entities/visibility'
import { Flag, IdList, Instant, Int, OptionalId, OptionalIdList } from '../../contract/scalars'
import { execute } from '../../db/query'
import { contentTypes } from '../../db/schema/statuses'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import { createStatus } from '../../domain/statuses/create'
import type { PollDraft, StatusDraft } from '../../domain/statuses/draft'
import type { CreatedPost } from '../../domain/statuses/find-by-idempotency-key'
import { UnexpectedMentions } from '../../domain/statuses/plan'
import { scheduleStatus } from '../../domain/statuses/scheduled/schedule'
import { AppError, Invalid } from '../../errors'
import type { StatusId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import type { Ctx } from '../../ports/ctx'
import { accountsById, loadAccounts } from '../../view/load/accounts'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentAccounts } from '../../view/present/account'
import { presentOnlyStatus } from '../../view/present/status'
import { type ApiRequest, endpoint, user } from '../endpoint'
import { scheduledFor } from '../scheduled-statuses'
import { statusFor } from './interactions'

/** Clients send blank form fields and null for values left to the server. */
export function orNothing<S extends z.ZodType>(schema: S) {
  return z.preprocess((sent) => (sent === '' || sent === null ? undefined : sent), schema.optional())
}

// A list with duplicates: equal options have to be refused, not merged.
const Options = z.preprocess(
  (sent) => (sent === undefined || Array.isArray(sent) ? sent : [sent]),
  z.array(z.union([z.string(), z.number()]).transform(String)).default([]),
)

/** A poll as clients send it. */
export const PollInput = z.object({
  options: Options,
  expires_in: Int,
  multiple: Flag.default(false),
  hide_totals: Flag.default(false),
})

export function pollDraft(poll: z.output<typeof PollInput>): PollDraft {
  return {
    options: poll.options,
    expiresInSeconds: poll.expires_in,
    multiple: poll.multiple,
    hideTotals: poll.hide_totals,
  }
}

const Text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((sent) => (sent == null ? '' : String(sent)))

const Input = z.object({
  status: Text,
  spoiler_text: Text,
  content_type: orNothing(z.enum(contentTypes)),
  visibility: orNothing(Visibility),
  sensitive: Flag,
  language: z
    .unknown()
    .optional()
    .transform((sent) => (typeof sent === 'string' ? knownLanguage(sent) : null)),
  in_reply_to_id: OptionalId,
  media_ids: IdList,
  poll: orNothing(PollInput),
  quote_approval_policy: orNothing(QuotePolicy),
  // Extensions: interaction policies for replies and reblogs.
  reply_policy: orNothing(InteractionPolicy),
  reblog_policy: orNothing(InteractionPolicy),
  // An extension with the same name in GoToSocial, Glitch and Hometown.
  local_only: Flag,
  allowed_mentions: OptionalIdList,
  scheduled_at: Instant,
  quoted_status_id: OptionalId,
})

export const newStatus = [
  endpoint({
    path: '/api/v1/statuses',
    summary: 'Post a status, now or later',
    auth: user('write:statuses'),
    limit: 'statuses',
    input: Input,
    output: z.union([Status, ScheduledStatus]),
    run: async (ctx, { input, viewer, request }) => {
      const order = { draft: toDraft(input), key: keyOf(request) }
      const { config, clock } = ctx
      const { scheduled_at: at } = input
      const refuse = (failure: unknown) => showUnexpected(ctx, failure)
      // A time in the past means at once, as in Mastodon.
      if (at !== undefined && at > clock.now())
        return showCreated(ctx, viewer, await scheduleStatus(ctx, viewer, { ...order, at }).catch(refuse))
      const read = (id: StatusId) => loadStatuses(ctx, viewerById(viewer.id), statusesById([id]))
      const made = await createStatus(ctx, viewer, { ...order, read }).catch(refuse)
      if (made.kind === 'earlier') return showCreated(ctx, viewer, made.post)
      return presentOnlyStatus({ config, now: clock.now() }, made.found)
    },
  }),
]

function showCreated(ctx: Ctx, viewer: Viewer, post: CreatedPost) {
  if (post.kind === 'scheduled') return scheduledFor(ctx, viewer, post.id)
  return statusFor(ctx, viewer, statusesById([post.id]))
}

function toDraft(input: z.output<typeof Input>): StatusDraft {
  const { poll } = input
  return {
    text: input.status,
    spoilerText: input.spoiler_text,
    contentType: input.content_type,
    visibility: input.visibility,
    sensitive: input.sensitive,
    language: input.language ?? undefined,
    inReplyToId: input.in_reply_to_id,
    mediaIds: input.media_ids,
    quotedId: input.quoted_status_id,
    quotePolicy: input.quote_approval_policy,
    replyPolicy: input.reply_policy,
    reblogPolicy: input.reblog_policy,
    localOnly: input.local_only,
    allowedMentions: input.allowed_mentions,
    poll: poll && pollDraft(poll),
  }
}

const maxKeyCharacters = 255

function keyOf(request: ApiRequest): string | null {
  const key = request.headers.get('Idempotency-Key')
  if (key !== null && key.length > maxKeyCharacters)
    throw new Invalid('too_long', { field: 'idempotency_key', max: maxKeyCharacters })
  return key === null || key === '' ? null : key
}

/** The refusal of unexpected mentions lists the accounts the text would have reached. */
async function showUnexpected(ctx: Ctx, failure: unknown): Promise<never> {
  if (!(failure instanceof UnexpectedMentions)) throw failure
  const bundle = await execute(ctx.db, loadAccounts(ctx, accountsById(failure.accountIds)))
  throw new RefusedMentions(failure, presentAccounts(ctx.config, bundle))
}

class RefusedMentions extends AppError {
  readonly name = 'RefusedMentions'
  readonly status = 422
  readonly #accounts: readonly unknown[]

  constructor({ problems }: UnexpectedMentions, accounts: readonly unknown[]) {
    super(problems)
    this.#accounts = accounts
  }

  override get extra() {
    return { unexpected_accounts: this.#accounts }
  }
}
