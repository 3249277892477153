import { combineQueries, map, type Query } from '../../../db/query'
import type { ViewerRef } from '../../../domain/core/viewer'
import { type DraftContext, type DraftRow, draftsOf } from '../../../domain/drafts/store'
import {
  findScheduled,
  type Scheduled,
  scheduledPage,
} from '../../../domain/statuses/scheduled/find-scheduled'
import type { Ctx } from '../../../ports/ctx'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { Age } from '../../posts/age'
import { beginningOf, composerPath, draftKinds } from './draft-lines'
import { ScheduledTime } from './scheduled-time'

/** Entries that the column shows of each list, and scheduled posts among which it finds the next ones. */
const mostShown = 5
const mostFound = 20

/** Drafts and scheduled posts of the member, without the draft that the composer itself shows. */
export interface BesideComposer {
  readonly drafts: readonly DraftRow[]
  readonly hasMoreDrafts: boolean
  /** The next ones first. */
  readonly scheduled: readonly Scheduled[]
  readonly hasMoreScheduled: boolean
}

/** Finds what stands beside the composer of `context`. */
export function besideComposer(ctx: Ctx, as: ViewerRef, context: DraftContext): Query<BesideComposer> {
  const found = combineQueries({
    drafts: draftsOf(ctx, as),
    scheduled: findScheduled(ctx, scheduledPage(as, { limit: mostFound })),
  })
  return map(found, ({ drafts, scheduled }) => {
    const others = drafts.filter((draft) => draft.context !== context)
    const next = scheduled.toSorted((a, b) => a.row.scheduledAt.getTime() - b.row.scheduledAt.getTime())
    return {
      drafts: others.slice(0, mostShown),
      hasMoreDrafts: others.length > mostShown,
      scheduled: next.slice(0, mostShown),
      hasMoreScheduled: next.length > mostShown,
    }
  })
}

interface ComposerSideProps {
  readonly beside: BesideComposer
  readonly now: Date
  /** Id of the form of the composer, which its buttons send: nothing typed is lost. */
  readonly formId: string
}

/** The column at the right of the composer. */
export function ComposerSide({ beside, now, formId }: ComposerSideProps) {
  const t = useTranslation()
  const { drafts, scheduled, hasMoreDrafts, hasMoreScheduled } = beside
  const kinds = draftKinds(t)
  return (
    <div data-beside>
      {drafts.length > 0 && (
        <section>
          <h2 class="side-first">{t('client.drafts')}</h2>
          <ul class="rows">
            {drafts.map(({ context, fields, updatedAt }) => (
              <li class="draft">
                <a href={composerPath(context)}>
                  <bdi>{beginningOf(fields['status'] ?? '')}</bdi>
                  <small>
                    {kinds[context.split(':')[0] ?? '']} · <Age at={updatedAt} now={now} />
                  </small>
                </a>
                <RemoveButton form={formId} press={`drop:${context}`} label={t('client.deleteDraft')} />
              </li>
            ))}
          </ul>
          {hasMoreDrafts && (
            <a class="more" href={paths.drafts}>
              {t('client.allDrafts')}
            </a>
          )}
        </section>
      )}
      {scheduled.length > 0 && (
        <section>
          <h2 class="side-first">{t('client.scheduled')}</h2>
          <ul class="rows">
            {scheduled.map(({ row: { id, params, scheduledAt, failure } }) => (
              <li class="draft">
                <a href={composerPath(`scheduled:${id}`)}>
                  <bdi>{beginningOf(params.spoilerText || params.text)}</bdi>
                  <small>
                    {failure === null ? (
                      <ScheduledTime at={scheduledAt} now={now} />
                    ) : (
                      <span class="tag warn">{t('settings.scheduled.notPosted')}</span>
                    )}
                  </small>
                </a>
                <RemoveButton
                  form={formId}
                  press={`unschedule:${id}`}
                  label={t('client.deleteScheduledPost')}
                />
              </li>
            ))}
          </ul>
          {hasMoreScheduled && (
            <a class="more" href={paths.scheduled}>
              {t('client.allScheduledPosts')}
            </a>
          )}
        </section>
      )}
    </div>
  )
}

interface RemoveButtonProps {
  readonly form: string
  readonly press: string
  readonly label: string
}

function RemoveButton({ form, press, label }: RemoveButtonProps) {
  return (
    <button type="submit" form={form} class="plain" name="press" value={press} aria-label={label}>
      <Icon name="trash-2" />
    </button>
  )
}
