import { Hono } from 'hono'
import { combineQueries, execute } from '../../../db/query'
import { type CatchUpChoices, catchUpGroups, catchUpOrders } from '../../../db/schema/accounts'
import { type Viewer, viewerById } from '../../../domain/core/viewer'
import { findMarkers, updateMarkers } from '../../../domain/markers/update'
import { catchUpSelection } from '../../../domain/timelines/home'
import { catchUpChoices, saveCatchUpChoices } from '../../../domain/users/preferences'
import { firstIdAt } from '../../../lib/ids'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { SelectField } from '../../components/field'
import { CsrfField } from '../../components/form'
import { Shell, ViewHead } from '../../components/shell'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { lastCursor, readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { PersonLine } from '../../people/people-list'
import { groupPosts, type PostGroup } from '../../posts/catch-up-groups'
import { Post } from '../../posts/post'
import { postView } from '../../posts/post-view'
import { act } from './acts'

const pageSize = 20

/** Hours of a span; `visit` is all that was not read yet. */
const spans = ['visit', '3', '8', '24'] as const
type Span = (typeof spans)[number]

const hour = 3_600_000
/** Hours of a visit without a marker of home. */
const fallbackHours = 24

/** Posts of home that were not read yet, by person or by conversation, with an end. */
export function catchUpRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.catchUp, showCatchUp)
  app.post(paths.catchUp, (c) => act(c, saveChoices))
  app.post(`${paths.catchUp}/read`, (c) => act(c, markAsRead))
  return app
}

async function saveChoices(ctx: Ctx, viewer: Viewer, form: Form): Promise<void> {
  await saveCatchUpChoices(ctx, viewer.id, {
    by: catchUpGroups.find((one) => one === form('by')) ?? 'person',
    order: catchUpOrders.find((one) => one === form('order')) ?? 'newest',
  })
}

/** Moves the marker of home to the newest post that catch-up began with, and never back. */
async function markAsRead(ctx: Ctx, viewer: Viewer, form: Form): Promise<void> {
  const newest = Math.min(readMaxId(form('newest')) ?? 0, firstIdAt(new Date(ctx.clock.now().getTime() + 1)))
  const [marker] = await execute(ctx.db, findMarkers(ctx, viewerById(viewer.id), ['home']))
  if (newest > (marker?.lastReadId ?? 0)) await updateMarkers(ctx, viewer, new Map([['home', newest]]))
}

function spanOf(text: string | undefined): Span {
  return spans.find((one) => one === text) ?? 'visit'
}

/** The newest id that is left out: what was read, and what is older than the span. */
function lowerEnd(span: Span, readUntil: number | null, now: Date): number {
  if (span === 'visit' && readUntil !== null) return readUntil
  const hours = span === 'visit' ? fallbackHours : Number(span)
  return Math.max(readUntil ?? 0, firstIdAt(new Date(now.getTime() - hours * hour)) - 1)
}

function showCatchUp(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const span = spanOf(c.req.query('span'))
  const [maxId, top] = [readMaxId(c.req.query('max_id') ?? ''), readMaxId(c.req.query('newest') ?? '')]
  return showMemberView(c, {
    read: (_, as) =>
      combineQueries({ choices: catchUpChoices(ctx, as), markers: findMarkers(ctx, as, ['home']) }),
    show: async ({ session, now }, { choices, markers }) => {
      const as = viewerById(session.accountId)
      const sinceId = lowerEnd(span, markers[0]?.lastReadId ?? null, now)
      const page = { limit: pageSize, maxId, sinceId }
      const bundle = await execute(ctx.db, loadStatuses(ctx, as, catchUpSelection(as, page, now)))
      const statuses = presentStatuses({ config: ctx.config, now }, withoutHidden(bundle, 'home'))
      const found = statuses.map((status) => {
        const post = postView(ctx.config, status, session.accountId)
        const conversation = bundle.statuses.get(Number(post.id))?.status.conversationId
        return { post, conversation: conversation ?? Number(post.id) }
      })
      const newest = top ?? bundle.cursors[0] ?? null
      const last = lastCursor(bundle, pageSize)
      const next = new URLSearchParams({ span, max_id: String(last), newest: String(newest) })
      return (
        <CatchUpPage
          span={span}
          choices={choices}
          groups={groupPosts(found, choices)}
          newest={newest}
          nextUrl={last === undefined ? null : `${paths.catchUp}?${next}`}
        />
      )
    },
  })
}

export interface CatchUpPageProps {
  readonly span: Span
  readonly choices: CatchUpChoices
  readonly groups: readonly PostGroup[]
  /** Id of the newest entry of the first page; null where there is none. */
  readonly newest: number | null
  readonly nextUrl: string | null
}

export function CatchUpPage({ span, choices, groups, newest, nextUrl }: CatchUpPageProps) {
  const t = useTranslation()
  const title = t('client.catchUp.catchUp')
  return (
    <Shell title={title} place="home" isPrivate>
      <ViewHead title={title} back={paths.home} />
      <Spans current={span} />
      <Choices span={span} choices={choices} />
      {groups.map((group) => (
        <Group group={group} />
      ))}
      {nextUrl === null ? (
        <End newest={newest} />
      ) : (
        <p class="pad">
          <a class="button" href={nextUrl}>
            {t('client.catchUp.goOn')}
          </a>
        </p>
      )}
    </Shell>
  )
}

function Spans({ current }: { readonly current: Span }) {
  const t = useTranslation()
  return (
    <nav class="pad" aria-label={t('client.catchUp.howFarBack')}>
      <ul class="chips">
        {spans.map((span) => (
          <li>
            <a
              class="chip"
              href={`${paths.catchUp}?span=${span}`}
              aria-current={span === current ? 'page' : undefined}
            >
              {span === 'visit'
                ? t('client.catchUp.sinceLastVisit')
                : t('client.catchUp.hours', { count: Number(span) })}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Choices({ span, choices }: Pick<CatchUpPageProps, 'span' | 'choices'>) {
  const t = useTranslation()
  return (
    <details class="pad">
      <summary class="button low">{t('client.catchUp.groupAndSort')}</summary>
      <form class="form" method="post" action={paths.catchUp}>
        <CsrfField />
        <input type="hidden" name="return_to" value={`${paths.catchUp}?span=${span}`} />
        <SelectField
          name="by"
          label={t('client.catchUp.groupBy')}
          value={choices.by}
          options={[
            { value: 'person', text: t('client.catchUp.person') },
            { value: 'thread', text: t('client.catchUp.conversation') },
          ]}
        />
        <SelectField
          name="order"
          label={t('client.catchUp.sortBy')}
          value={choices.order}
          options={[
            { value: 'newest', text: t('client.catchUp.newestFirst') },
            { value: 'most', text: t('client.catchUp.mostPostsFirst') },
          ]}
        />
        <p>
          <button type="submit" class="button low">
            {t('common.save')}
          </button>
        </p>
      </form>
    </details>
  )
}

/** The posts of a group below the person or the conversation that they are of. */
function Group({ group: { person, posts } }: { readonly group: PostGroup }) {
  const t = useTranslation()
  const [first] = posts
  if (first === undefined) return null
  const count = t('client.person.postsInWords', { count: posts.length })
  const names = [...new Set(posts.map(({ author }) => author.name))].slice(0, 3).join(', ')
  const label = person === null ? t('client.catchUp.conversationOfNames', { names }) : person.name
  return (
    <section aria-label={label}>
      {person === null ? (
        <p class="pad quiet">
          <a href={first.path}>{label}</a> · {count}
        </p>
      ) : (
        <div class="person">
          <PersonLine person={person} tag={<> · {count}</>} />
        </div>
      )}
      {posts.map((post) => (
        <Post post={post} />
      ))}
    </section>
  )
}

/** The end, where all that was shown can be marked as read. */
function End({ newest }: Pick<CatchUpPageProps, 'newest'>) {
  const t = useTranslation()
  const title = <h2>{t('client.catchUp.thatsAll')}</h2>
  if (newest === null)
    return (
      <div class="empty">
        {title}
        <p>
          <a class="button main" href={paths.home}>
            {t('client.catchUp.backToHome')}
          </a>
        </p>
      </div>
    )
  return (
    <form class="empty" method="post" action={`${paths.catchUp}/read`}>
      <CsrfField />
      <input type="hidden" name="return_to" value={paths.home} />
      {title}
      <input type="hidden" name="newest" value={String(newest)} />
      <p>{t('client.catchUp.markAsReadEffect')}</p>
      <button type="submit" class="button main">
        {t('client.catchUp.markAsRead')}
      </button>
    </form>
  )
}
