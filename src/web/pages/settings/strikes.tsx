import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AccountWarning, Strike } from '../../../contract/entities/report'
import { both, combineQueries, execute, first } from '../../../db/query'
import { loadRules } from '../../../domain/instance/rules'
import { createAppeal } from '../../../domain/moderation/appeal'
import { findStrikes } from '../../../domain/moderation/find-strikes'
import { findCollectionEvidence, findEvidence } from '../../../domain/reports/find'
import { acknowledgeStrike } from '../../../domain/users/warn'
import { NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { presentStrike } from '../../../view/present/report'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { RuleList } from '../../components/contact-card'
import { Day } from '../../components/day'
import { TextAreaField } from '../../components/field'
import { PostForm } from '../../components/form'
import { Prose } from '../../components/prose'
import { SettingsLayout } from '../../components/settings-layout'
import { positiveNumber, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'

const title = 'settings.strikes.decisionsModerators'
const pageLength = 20

export const strikesPage = memberPage({
  kind: 'settings',
  path: paths.strikes,
  title,
  access: 'restricted',
  isBeforeTerms: true,
  menu: { group: 'account', label: title, order: 310 },
  redirectsFrom: ['/disputes/strikes'],
  form: z.object({ strike: textField(20), text: textField(10_000) }),
  submissions: [
    {
      run: async ({ ctx, session, input }) => {
        const strikeId = Number(input.strike)
        await createAppeal(ctx, session.accountId, {
          strikeId: Number.isSafeInteger(strikeId) ? strikeId : 0,
          text: input.text,
        })
        return { notice: 'appealed' as const }
      },
    },
    {
      path: `${paths.strikes}/seen`,
      isCommand: true,
      run: async ({ ctx, session, input }) => {
        const strikeId = positiveNumber(input.strike)
        if (strikeId === undefined) throw new NotFound()
        await acknowledgeStrike(ctx, session.accountId, strikeId)
        return { notice: 'seen' as const }
      },
    },
  ],
  notices: {
    appealed: 'settings.strikes.appealModeratorsNow',
    seen: 'settings.strikes.otherPagesNoLonger',
  },
  load: (ctx, { session, query }) => loadStrikes(ctx, session.accountId, query('max_id')),
  view: ({ session, typed, found }) => (
    <StrikesPage
      strikeToSee={session.strikeToSee}
      typed={{ strike: typed('strike'), text: typed('text') }}
      {...found}
    />
  ),
})

async function loadStrikes(ctx: Ctx, accountId: AccountId, maxId: string) {
  const page = { limit: pageLength, maxId: readMaxId(maxId) }
  const { state, found, rules } = await execute(
    ctx.db,
    combineQueries({
      state: first(
        ctx.db
          .select({
            suspended: sql<number>`a.suspended_at is not null`.as('suspended'),
            disabled: sql<number>`u.disabled_at is not null`.as('disabled'),
          })
          .from(sql`users u cross join accounts a`)
          .where(sql`u.account_id = ${accountId} and a.id = u.account_id`),
      ),
      found: findStrikes(ctx, { targetId: accountId }, page),
      rules: loadRules(ctx),
    }),
  )
  if (state === null) return null
  const of = { strikeIds: found.map(({ id }) => id) }
  const [evidence, collections] = await execute(
    ctx.db,
    both(findEvidence(ctx, of), findCollectionEvidence(ctx, of)),
  )
  const last = found.length < pageLength ? undefined : found.at(-1)
  return {
    restriction: restrictionOf(state),
    strikes: found.map((strike) => presentStrike(ctx.config, strike, { evidence, collections, rules })),
    nextPath: pageBehind(paths.strikes, last?.id),
  }
}

function restrictionOf({ suspended, disabled }: { readonly suspended: number; readonly disabled: number }) {
  if (suspended === 1) return 'suspended' as const
  return disabled === 1 ? ('disabled' as const) : null
}

export interface StrikesPageProps {
  /** State in which the account can open no other page; null without one. */
  readonly restriction: 'suspended' | 'disabled' | null
  /** Id of the newest strike that is yet to be confirmed as read. */
  readonly strikeToSee: number | null
  /** Newest first. */
  readonly strikes: readonly Strike[]
  readonly nextPath: string | null
  /** Refused appeal, as typed. */
  readonly typed: { readonly strike: string; readonly text: string }
}

const restrictions = {
  suspended: 'settings.strikes.accountHasBeenSuspended',
  disabled: 'settings.strikes.accountHasBeenDisabled',
} as const

/** Decisions of moderators about an account, with reasons and the form to appeal. */
export function StrikesPage(props: StrikesPageProps) {
  const { restriction, strikes, nextPath } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      {restriction !== null && (
        <Banner kind="info" title={t(restrictions[restriction])}>
          <p>{t('settings.strikes.canReadHereWhat')}</p>
        </Banner>
      )}
      {strikes.length === 0 && <p>{t('settings.strikes.moderatorsHaveDecidedNothing')}</p>}
      {strikes.map((strike) => (
        <StrikeCard {...props} strike={strike} />
      ))}
      {nextPath !== null && (
        <p>
          <a href={nextPath}>{t('common.olderOnes')}</a>
        </p>
      )}
    </SettingsLayout>
  )
}

const actions: Readonly<Record<AccountWarning['action'], TextKey>> = {
  none: 'settings.strikes.gotWarning',
  disable: 'settings.strikes.accountDisabled',
  mark_statuses_as_sensitive: 'settings.strikes.postsYoursMarkedSensitive',
  delete_statuses: 'settings.strikes.postsYoursDeleted',
  sensitive: 'settings.strikes.allMediaMarkedSensitive',
  silence: 'settings.strikes.accountLimited',
  suspend: 'settings.strikes.accountSuspended',
}

type StrikeProps = StrikesPageProps & { readonly strike: Strike }

function StrikeCard(props: StrikeProps) {
  const { action, text, created_at, overruled_at, rules, evidence, collections } = props.strike
  const t = useTranslation()
  return (
    <section class="block" aria-label={`${t(actions[action])}, ${created_at.slice(0, 10)}`}>
      <h2>{t(actions[action])}</h2>
      <p class="quiet small">
        <Day at={new Date(created_at)} />
        {overruled_at !== null && (
          <>
            {' '}
            <span class="tag">{t('common.undone')}</span>
          </>
        )}
      </p>
      {text !== '' && text.split(/\n{2,}/).map((paragraph) => <p dir="auto">{paragraph}</p>)}
      {rules.length > 0 && (
        <>
          <h3>{t('field.rules')}</h3>
          <RuleList rules={rules} />
        </>
      )}
      {evidence.length > 0 && (
        <details>
          <summary>
            {t('settings.strikes.thePostsConcerned', {
              count: evidence.length,
            })}
          </summary>
          {evidence.map((status) => (
            <EvidenceCard status={status} />
          ))}
        </details>
      )}
      {collections.length > 0 && (
        <details>
          <summary>
            {t('settings.strikes.theCollectionsConcerned', {
              count: collections.length,
            })}
          </summary>
          {collections.map((collection) => (
            <CollectionCard collection={collection} />
          ))}
        </details>
      )}
      {props.strikeToSee === Number(props.strike.id) && (
        <PostForm action={`${paths.strikes}/seen`} hidden={{ strike: props.strike.id }} class="inline">
          <Button look="secondary">{t('settings.strikes.iHaveRead')}</Button>
        </PostForm>
      )}
      <AppealPart {...props} />
    </section>
  )
}

function EvidenceCard({ status }: { readonly status: Strike['evidence'][number] }) {
  const { content, spoiler_text, created_at, deleted, media_attachments, poll_options } = status
  const t = useTranslation()
  return (
    <blockquote>
      {spoiler_text !== '' && (
        <p dir="auto">
          <strong>{spoiler_text}</strong>
        </p>
      )}
      <Prose html={content} />
      {poll_options !== null && (
        <ul>
          {poll_options.map((option) => (
            <li dir="auto">{option}</li>
          ))}
        </ul>
      )}
      <p class="quiet small">
        {t.rich('settings.strikes.dayFiles', {
          day: <Day at={new Date(created_at)} withTime />,
          files: media_attachments.length,
          deleted: String(deleted),
        })}
      </p>
    </blockquote>
  )
}

function CollectionCard({ collection }: { readonly collection: Strike['collections'][number] }) {
  const { name, description, members, created_at, deleted } = collection
  const t = useTranslation()
  return (
    <blockquote>
      <p dir="auto">
        <strong>{name}</strong>
      </p>
      <Prose html={description} />
      {members.length > 0 && (
        <p class="quiet small">
          <bdi>{members.map((handle) => `@${handle}`).join(', ')}</bdi>
        </p>
      )}
      <p class="quiet small">
        {t.rich('settings.strikes.day', {
          day: <Day at={new Date(created_at)} withTime />,
          deleted: String(deleted),
        })}
      </p>
    </blockquote>
  )
}

const verdicts = {
  pending: 'settings.strikes.moderatorsHaveNotDecided',
  approved: 'settings.strikes.appealApprovedDecisionUndone',
  rejected: 'settings.strikes.appealRejectedDecisionStands',
} as const

function AppealPart({ strike, typed }: StrikeProps) {
  const { id, appeal, appealable, appealable_until: until } = strike
  const t = useTranslation()
  if (appeal !== null)
    return (
      <>
        <h3>{t('settings.strikes.yourAppeal')}</h3>
        <p>{t(verdicts[appeal.state])}</p>
        <blockquote>
          <p dir="auto">{appeal.text}</p>
        </blockquote>
      </>
    )
  if (!appealable) return <p class="quiet small">{t('settings.strikes.timeAppealOver')}</p>
  const isTyped = typed.strike === id
  return (
    <details open={isTyped}>
      <summary>{t('settings.strikes.appeal')}</summary>
      <PostForm action={paths.strikes} hidden={{ strike: id }}>
        <TextAreaField
          name="text"
          label={t('settings.strikes.whyDecisionWrong')}
          hint={t.rich('settings.strikes.whyDecisionWrong.hint', { day: <Day at={new Date(until)} /> })}
          rows={6}
          maxlength={2_000}
          value={isTyped ? typed.text : ''}
        />
        <Button>{t('settings.strikes.sendTheAppeal')}</Button>
      </PostForm>
    </details>
  )
}
