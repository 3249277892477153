import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { AccountWarning } from '../../../contract/entities/account-warning'
import type { Strike } from '../../../contract/entities/strike'
import { combineQueries, execute, first } from '../../../db/query'
import { loadRules } from '../../../domain/instance/rules'
import { createAppeal } from '../../../domain/moderation/appeal'
import { findStrikes } from '../../../domain/moderation/find-strikes'
import { findEvidence } from '../../../domain/reports/find-for-moderators'
import type { AccountId } from '../../../lib/ids'
import type { Ctx } from '../../../platform/ports'
import { presentStrike } from '../../../view/present/strike'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextAreaField } from '../../components/field'
import { ErrorSummary, type FormErrors, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { Prose } from '../../components/prose'
import { RuleList } from '../../components/rule-list'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Decisions of the moderators'
const pageLength = 20

export const strikesPage = memberPage({
  kind: 'settings',
  path: paths.strikes,
  title,
  access: 'restricted',
  isBeforeTerms: true,
  menu: { label: title, order: 85 },
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
  ],
  notices: { appealed: 'Your appeal is with the moderators now.' },
  load: (ctx, { session, query }) => loadStrikes(ctx, session.accountId, query('max_id')),
  view: ({ site, viewer, csrfToken, message, errors, typed, found }) => (
    <StrikesPage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      message={message}
      errors={errors}
      typed={{ strike: typed('strike'), text: typed('text') }}
      {...found}
    />
  ),
})

async function loadStrikes(ctx: Ctx, accountId: AccountId, maxId: string) {
  const sent = Number(maxId)
  const page = { limit: pageLength, maxId: Number.isSafeInteger(sent) && sent > 0 ? sent : undefined }
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
  const evidence = await execute(ctx.db, findEvidence(ctx, { strikeIds: found.map(({ id }) => id) }))
  const last = found.length < pageLength ? undefined : found.at(-1)
  return {
    restriction: restrictionOf(state),
    strikes: found.map((strike) => presentStrike(ctx.config, strike, { evidence, rules })),
    nextPath: last === undefined ? null : `${paths.strikes}?max_id=${last.id}`,
  }
}

function restrictionOf({ suspended, disabled }: { readonly suspended: number; readonly disabled: number }) {
  if (suspended === 1) return 'suspended' as const
  return disabled === 1 ? ('disabled' as const) : null
}

export interface StrikesPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly message: string | null
  /** State in which the account can open no other page; null without one. */
  readonly restriction: 'suspended' | 'disabled' | null
  /** Newest first. */
  readonly strikes: readonly Strike[]
  readonly nextPath: string | null
  readonly errors: FormErrors<'strike' | 'text'>
  /** Refused appeal, as typed. */
  readonly typed: { readonly strike: string; readonly text: string }
}

/** Decisions of moderators about an account, with reasons and the form to appeal. */
export function StrikesPage(props: StrikesPageProps) {
  const { site, viewer, message, restriction, strikes, nextPath, errors } = props
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate>
      <h1>{title}</h1>
      <ErrorSummary errors={errors} />
      {message !== null && (
        <Banner kind="success">
          <p>{message}</p>
        </Banner>
      )}
      {restriction !== null && (
        <Banner kind="info" title={`Your account has been ${restriction}.`}>
          <p>You can read here what was decided and appeal. Nothing else of your account is open to you.</p>
        </Banner>
      )}
      {strikes.length === 0 && <p>The moderators have decided nothing about your account.</p>}
      {strikes.map((strike) => (
        <StrikeCard {...props} strike={strike} />
      ))}
      {nextPath !== null && (
        <p>
          <a href={nextPath}>Older ones</a>
        </p>
      )}
      {restriction === null && (
        <p class="aside">
          <a href={paths.account}>Back to your account</a>
        </p>
      )}
    </Layout>
  )
}

const actions: Readonly<Record<AccountWarning['action'], string>> = {
  none: 'You got a warning',
  disable: 'Your account was disabled',
  mark_statuses_as_sensitive: 'Posts of yours were marked as sensitive',
  delete_statuses: 'Posts of yours were deleted',
  sensitive: 'All your media were marked as sensitive',
  silence: 'Your account was limited',
  suspend: 'Your account was suspended',
}

type StrikeProps = StrikesPageProps & { readonly strike: Strike }

function StrikeCard(props: StrikeProps) {
  const { action, text, created_at, overruled_at, rules, evidence } = props.strike
  return (
    <section class="card" aria-label={`${actions[action]}, ${created_at.slice(0, 10)}`}>
      <h2>{actions[action]}</h2>
      <p class="muted">
        <Day at={new Date(created_at)} />
        {overruled_at !== null && (
          <>
            {' '}
            <span class="badge">undone</span>
          </>
        )}
      </p>
      {text !== '' && text.split(/\n{2,}/).map((paragraph) => <p dir="auto">{paragraph}</p>)}
      {rules.length > 0 && (
        <>
          <h3>Rules</h3>
          <RuleList rules={rules} />
        </>
      )}
      {evidence.length > 0 && (
        <details>
          <summary>
            {evidence.length === 1 ? 'The post concerned' : `The ${evidence.length} posts concerned`}
          </summary>
          {evidence.map((status) => (
            <EvidenceCard status={status} />
          ))}
        </details>
      )}
      <AppealPart {...props} />
    </section>
  )
}

function EvidenceCard({ status }: { readonly status: Strike['evidence'][number] }) {
  const { content, spoiler_text, created_at, deleted, media_attachments, poll_options } = status
  const files = media_attachments.length
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
      <p class="muted">
        <Day at={new Date(created_at)} withTime />
        {files > 0 && (files === 1 ? ', one file' : `, ${files} files`)}
        {deleted && ', deleted since'}
      </p>
    </blockquote>
  )
}

const verdicts = {
  pending: 'The moderators have not decided about your appeal yet.',
  approved: 'Your appeal was approved. The decision is undone.',
  rejected: 'Your appeal was rejected. The decision stands.',
} as const

function AppealPart({ csrfToken, strike, errors, typed }: StrikeProps) {
  const { id, appeal, appealable, appealable_until: until } = strike
  if (appeal !== null)
    return (
      <>
        <h3>Your appeal</h3>
        <p>{verdicts[appeal.state]}</p>
        <blockquote>
          <p dir="auto">{appeal.text}</p>
        </blockquote>
      </>
    )
  if (!appealable) return <p class="muted">The time for an appeal is over.</p>
  const isTyped = typed.strike === id
  return (
    <details open={isTyped}>
      <summary>Appeal</summary>
      <PostForm action={paths.strikes} csrfToken={csrfToken} hidden={{ strike: id }}>
        <TextAreaField
          name="text"
          label="Why the decision is wrong"
          hint={
            <>
              You can appeal once, until <Day at={new Date(until)} />.
            </>
          }
          rows={6}
          maxlength={2_000}
          value={isTyped ? typed.text : ''}
          errors={isTyped ? errors.fields?.text : undefined}
        />
        <Button>Send the appeal</Button>
      </PostForm>
    </details>
  )
}
