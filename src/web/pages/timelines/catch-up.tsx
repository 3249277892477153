import { Hono } from 'hono'
import { combineQueries, constant, execute } from '../../../db/query'
import { type CatchUpChoices, catchUpGroups, catchUpOrders } from '../../../db/schema/accounts'
import { type Viewer, viewerById } from '../../../domain/core/viewer'
import { advanceMarker } from '../../../domain/markers/update'
import { chosenEntries, type HomeScan, scanHome } from '../../../domain/timelines/home'
import { catchUpChoices, saveCatchUpChoices } from '../../../domain/users/preferences'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { SelectField } from '../../components/field'
import { CsrfField } from '../../components/form'
import { Shell, ViewHead } from '../../components/shell'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { type MemberFrame, showMemberView } from '../../member-view'
import type { Markup } from '../../page'
import { readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { PersonLine } from '../../people/people-list'
import { groupsOf, type PlannedEntry } from '../../posts/catch-up-plan'
import { PostsProvider, usePosts } from '../../posts/context'
import { Post } from '../../posts/post'
import { type PostView, postView } from '../../posts/post-view'
import { act } from './acts'
import {
  addressOf,
  boundsOf,
  type Place,
  placeBehind,
  placeOf,
  type Span,
  spans,
  wayBack,
} from './catch-up-place'

const pageSize = 10
/** Entries of the plan that are looked at for a page, as some of them may be muted. */
const mostCandidates = 30
/** Entries that are read beside the posts of a page. With more, the page has an address of its own. */
const mostBesidePosts = 20

/** Posts of home that were not read yet, by person or by conversation over the whole span, with an end. */
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
function markAsRead(ctx: Ctx, viewer: Viewer, form: Form): Promise<void> {
  return advanceMarker(ctx, viewer, { timeline: 'home', newest: readMaxId(form('newest')) ?? 0 })
}

const noScan: HomeScan = { entries: [], newest: null, below: null }

/**
 * Shows a page of the plan. The whole span is grouped before the first page: a scan that does not reach its end leads to an address
 * that holds what it found, where the next scan goes on. So each answer reads a bounded number of rows, and nothing is written.
 */
function showCatchUp(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const place = placeOf(c)
  const { span } = place
  return showMemberView(c, {
    read: (_, as) =>
      combineQueries({
        choices: catchUpChoices(ctx, as),
        scan:
          place.plan === null
            ? scanHome(ctx, as, boundsOf(span, place.below, ctx.clock.now()))
            : constant(noScan),
      }),
    show: (frame, { choices, scan }) => {
      const reached = placeBehind(place, scan, choices)
      return reached.plan === null || reached.found.length > mostBesidePosts
        ? c.redirect(addressOf(reached), 303)
        : showPlanned(c, { ...reached, plan: reached.plan }, { ...frame, choices })
    },
  })
}

/** The next posts of a plan; the address behind them where none of them may be shown. */
async function showPlanned(
  c: AppContext,
  place: Place & { readonly plan: readonly PlannedEntry[] },
  { session, now, choices }: MemberFrame & { readonly choices: CatchUpChoices },
): Promise<Markup | Response> {
  const ctx = c.get('ctx')
  const { plan, span, newest, by } = place
  const as = viewerById(session.accountId)
  const ids = plan.slice(0, mostCandidates).map(({ id }) => id)
  const bundle = await execute(
    ctx.db,
    loadStatuses(ctx, as, chosenEntries(as, { ids, limit: pageSize }, now)),
  )
  const posts = new Map(
    presentStatuses({ config: ctx.config, now }, withoutHidden(bundle, 'home')).map((status) => [
      Number(status.id),
      postView(ctx.config, status, session.accountId),
    ]),
  )
  const count = bundle.cursors.length < pageSize ? ids.length : -(bundle.cursors.at(-1) ?? 0)
  const rest = plan.slice(count)
  const nextUrl = rest.length === 0 ? null : addressOf({ ...place, plan: rest })
  if (posts.size === 0 && nextUrl !== null) return c.redirect(nextUrl, 303)
  const groups = groupsOf(plan, count).map((group) => ({
    isWhole: group.isWhole,
    posts: group.ids.flatMap((id) => posts.get(id) ?? []),
  }))
  return (
    <CatchUpPage
      span={span}
      choices={{ ...choices, by: by ?? choices.by }}
      groups={groups}
      newest={newest}
      nextUrl={nextUrl}
      returnTo={wayBack(place, plan[0])}
    />
  )
}

/** Posts of one person or of one conversation, newest first. */
interface PostGroup {
  readonly posts: readonly PostView[]
  readonly isWhole: boolean
}

export interface CatchUpPageProps {
  readonly span: Span
  readonly choices: CatchUpChoices
  readonly groups: readonly PostGroup[]
  /** Id of the newest entry of the span; null where there is none. */
  readonly newest: number | null
  readonly nextUrl: string | null
  /** Address that forms of the posts lead back to. */
  readonly returnTo: string
}

export function CatchUpPage(props: CatchUpPageProps) {
  const { span, choices, groups, newest, nextUrl, returnTo } = props
  const t = useTranslation()
  const title = t('client.catchUp.catchUp')
  return (
    <Shell title={title} place="home" isPrivate>
      <ViewHead title={title} back={paths.home} />
      <Spans current={span} />
      <Choices span={span} choices={choices} />
      <PostsProvider value={{ ...usePosts(), returnTo }}>
        {groups.map((group) => (
          <Group group={group} by={choices.by} />
        ))}
      </PostsProvider>
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

/** The posts of a group below the person or the conversation that they are of, with their number where all of them are here. */
function Group({
  group: { posts, isWhole },
  by,
}: { readonly group: PostGroup } & Pick<CatchUpChoices, 'by'>) {
  const t = useTranslation()
  const [first] = posts
  if (first === undefined) return null
  const person = by === 'person' ? (first.boostedBy ?? first.author) : null
  const count = isWhole ? <> · {t('client.person.postsInWords', { count: posts.length })}</> : null
  const names = [...new Set(posts.map(({ author }) => author.name))].slice(0, 3).join(', ')
  const label = person === null ? t('client.catchUp.conversationOfNames', { names }) : person.name
  return (
    <section aria-label={label}>
      {person === null ? (
        <p class="pad quiet">
          <a href={first.path}>{label}</a>
          {count}
        </p>
      ) : (
        <div class="person">
          <PersonLine person={person} tag={count} />
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
        {t('client.markAllAsRead')}
      </button>
    </form>
  )
}
