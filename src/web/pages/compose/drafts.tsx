import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { combineQueries, execute } from '../../../db/query'
import type { Viewer } from '../../../domain/core/viewer'
import {
  type DraftContext,
  type DraftFields,
  type DraftRow,
  deleteDraft,
  draftsOf,
  mostDrafts,
  saveDraft,
} from '../../../domain/drafts/store'
import { type PollRow, pollOfStatus } from '../../../domain/polls/find'
import { ownStatus } from '../../../domain/statuses/find'
import { removalFacts } from '../../../domain/statuses/find-affected-servers'
import { quoteIn } from '../../../domain/statuses/quotes/find-quotes'
import { deleteStatus } from '../../../domain/statuses/remove'
import { NotFound } from '../../../errors'
import { instantOf } from '../../../lib/ids'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { paths } from '../../paths'
import { Age } from '../../posts/age'
import { act } from '../timelines/acts'
import { beginningOf, composerPath, contextOf, draftKinds, readContext } from './draft-lines'
import { readContent, typedFieldsOf } from './form'
import { choiceNames, isEmptyPart, pollLengths, readParts, usualPollLength } from './parts'

/** The drafts of a member: their list, what scripts save, and posts that are deleted and redrafted. */
export function draftRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.drafts, (c) =>
    showMemberView(c, {
      read: draftsOf,
      show: ({ now }, drafts) => <DraftsPage now={now} drafts={drafts} />,
    }),
  )
  app.post(paths.drafts, (c) => act(c, (ctx, viewer, form) => keepTyped(ctx, viewer, form)))
  app.post(`${paths.drafts}/delete`, (c) =>
    act(c, async (ctx, viewer, form) => {
      const context = readContext(form('context'))
      if (context === null) throw new NotFound()
      await deleteDraft(ctx, viewer, context)
    }),
  )
  app.post('/posts/:id{[0-9]{1,16}}/redraft', (c) => takeBack(c))
  return app
}

/** Keeps the fields of a composer as the draft about its subject; without words, files or poll there is none. */
export async function keepTyped(ctx: Ctx, viewer: Viewer, form: Form): Promise<void> {
  const context = contextOf(readContent(form))
  if (readParts(form).every(isEmptyPart)) await deleteDraft(ctx, viewer, context)
  else await saveDraft(ctx, viewer, { context, fields: fieldsOf(form) })
}

function fieldsOf(form: Form): DraftFields {
  const names = typedFieldsOf(form).filter((name) => name !== 'key')
  return withoutEmpty(names.map((name) => [name, form(name)]))
}

/** The form of a draft. */
export function formOf({ fields }: Pick<DraftRow, 'fields'>): Form {
  return (name) => (Object.hasOwn(fields, name) ? (fields[name] ?? '') : '')
}

/** Takes a post back, and leads to the composer with what it said. */
async function takeBack(c: AppContext): Promise<Response> {
  const made: DraftContext[] = []
  const answer = await act(c, async (ctx, viewer) => {
    made.push(await redraft(ctx, viewer, requireIdInPath(c)))
  })
  const [context] = made
  return context === undefined ? answer : c.redirect(composerPath(context), 303)
}

/** Deletes a post of the member, and keeps what it said as a draft about the same thing, with files and poll. */
async function redraft(ctx: Ctx, viewer: Viewer, id: number): Promise<DraftContext> {
  await ctx.throttle.take('deletions', String(viewer.id))
  const found = combineQueries({
    own: ownStatus(ctx, viewer.id, id),
    facts: removalFacts(ctx, id),
    quote: quoteIn(ctx, id),
    poll: pollOfStatus(ctx, sql`${id}`),
  })
  const { own, facts, quote, poll } = await execute(ctx.db, found)
  if (own === null || own.reblogOfId !== null) throw new NotFound()
  const [replyTo, quoted] = [own.inReplyToId, quote?.quotedStatusId ?? null]
  const context = contextOf({ edited: null, scheduled: null, replyTo, quoted })
  const media = own.attachments.map((one) => [`description_${one.id}`, one.description ?? ''] as const)
  const fields = {
    status: own.text,
    spoiler_text: own.spoilerText,
    visibility: own.visibility,
    quote_policy: own.quotePolicy,
    local_only: own.localOnly ? '1' : '',
    language: own.language ?? '',
    media_ids: own.attachments.map((one) => one.id).join(','),
    reply_to: String(replyTo ?? ''),
    quote: String(quoted ?? ''),
    ...Object.fromEntries(media),
    ...(poll === null ? {} : pollFields(poll, instantOf(own.id))),
  }
  // First the draft: a post that is gone without it would be lost.
  await saveDraft(ctx, viewer, { context, fields: withoutEmpty(Object.entries(fields)) })
  await deleteStatus(ctx, viewer, { ...facts, status: own, withMedia: false })
  return context
}

/** The fields of the composer for a poll that began at this time. */
function pollFields({ options, multiple, expiresAt }: PollRow, beganAt: Date): DraftFields {
  const seconds = ((expiresAt ?? beganAt).getTime() - beganAt.getTime()) / 1_000
  const length = pollLengths.find((one) => one >= Math.round(seconds)) ?? usualPollLength
  return {
    has_poll: '1',
    poll_length: String(length),
    poll_multiple: multiple ? '1' : '',
    ...Object.fromEntries(options.map((option, index) => [choiceNames[index] ?? '', option])),
  }
}

function withoutEmpty(fields: readonly (readonly [string, string])[]): DraftFields {
  return Object.fromEntries(fields.filter(([name, value]) => name !== '' && value !== ''))
}

export interface DraftsPageProps {
  readonly now: Date
  readonly drafts: readonly DraftRow[]
}

export function DraftsPage({ drafts, now }: DraftsPageProps) {
  const t = useTranslation()
  const kinds = draftKinds(t)
  return (
    <Shell title={t('client.drafts')} place={null} isPrivate>
      <ViewHead
        title={t('client.drafts')}
        line={t('client.draftsAtMost', { max: mostDrafts })}
        back={paths.publish}
      />
      {drafts.length === 0 ? (
        <Empty title={t('client.noDrafts')}>
          <p>{t('client.draftsAppearHere')}</p>
        </Empty>
      ) : (
        <ul class="rows">
          {drafts.map(({ context, fields, updatedAt }) => (
            <li class="ends">
              <a class="row-link" href={composerPath(context)}>
                <Icon name="pencil" />
                <span class="names">
                  <bdi class="one">{beginningOf(fields['status'] ?? '')}</bdi>
                  <small>
                    {kinds[context.split(':')[0] ?? '']} · <Age at={updatedAt} now={now} />
                  </small>
                </span>
              </a>
              <form method="post" action={`${paths.drafts}/delete`}>
                <CsrfField />
                <input type="hidden" name="return_to" value={paths.drafts} />
                <input type="hidden" name="context" value={context} />
                <button type="submit" class="plain" aria-label={t('client.deleteDraft')}>
                  <Icon name="trash-2" />
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
    </Shell>
  )
}
