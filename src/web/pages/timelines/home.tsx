import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { type HomeKind, homeKinds } from '../../../db/schema/accounts'
import { draftOf } from '../../../domain/drafts/store'
import { findMarkers } from '../../../domain/markers/update'
import { chosenHomeSelection, countNewerEntries } from '../../../domain/timelines/home'
import { type HomeChoices, homeChoices, saveHomeChoices } from '../../../domain/users/preferences'
import type { TextKey } from '../../../lib/translate'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { Feed, Older } from '../../posts/feed'
import { type FeedEntry, gatherBoosts } from '../../posts/gather-boosts'
import { type PostView, postView } from '../../posts/post-view'
import { QuickComposer, type WaitingDraft } from '../../posts/quick-composer'
import { waitingDraft } from '../compose/draft-lines'
import { WaitingPage } from '../you/waiting'
import { act } from './acts'
import { Newer, TimelineTabs } from './tabs'

const pageSize = 20

/** Home of a member: the posts of people they follow, from where they stopped reading. */
export function homeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.home, showHome)
  app.post(paths.home, (c) =>
    act(c, (ctx, viewer, form) =>
      saveHomeChoices(ctx, viewer.id, {
        without: homeKinds.filter((kind) => form(kind) === ''),
        gathersBoosts: form('gather') !== '',
      }),
    ),
  )
  return app
}

async function showHome(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const [maxId, minId] = [readMaxId(c.req.query('max_id') ?? ''), readMaxId(c.req.query('min_id') ?? '')]
  return showMemberView(c, {
    read: (ctx, as) =>
      combineQueries({
        bundle: loadStatuses(
          ctx,
          as,
          chosenHomeSelection(as, { limit: pageSize, maxId, minId }, ctx.clock.now()),
        ),
        markers: findMarkers(ctx, as, ['home']),
        newer: countNewerEntries(ctx, as, minId ?? null),
        choices: homeChoices(ctx, as),
        draft: draftOf(ctx, as, 'new'),
      }),
    showWaiting: (frame) => (
      <WaitingPage session={frame.session} answersByMail={c.get('ctx').mailer !== null} />
    ),
    show: (frame, { bundle, markers, newer, choices, draft }) => {
      const { cursors } = bundle
      const shown = presentStatuses({ config, now: frame.now }, withoutHidden(bundle, 'home'))
      const oldest = cursors.at(-1)
      return (
        <HomePage
          posts={shown.map((status) => postView(config, status, frame.session.accountId))}
          readUntil={markers[0]?.lastReadId ?? null}
          above={maxId ?? null}
          newer={newer}
          choices={choices}
          draft={waitingDraft(draft)}
          newestUrl={maxId === undefined && minId === undefined ? null : paths.home}
          olderUrl={
            oldest === undefined || cursors.length < pageSize ? null : `${paths.home}?max_id=${oldest}`
          }
        />
      )
    },
  })
}

export interface HomePageProps {
  readonly posts: readonly PostView[]
  /** Id of the newest entry that was read; null where none is known. */
  readonly readUntil: number | null
  /** Id of the entry above the first one; null on the newest page. */
  readonly above: number | null
  /** Entries above the page. */
  readonly newer: number
  readonly choices: HomeChoices
  readonly draft: WaitingDraft | null
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}

export function HomePage(props: HomePageProps) {
  const { posts, readUntil, above, newer, choices, newestUrl, olderUrl } = props
  const t = useTranslation()
  const entries = choices.gathersBoosts ? gatherBoosts(posts, readUntil) : posts
  const isRead = ({ entryId }: FeedEntry) => readUntil !== null && Number(entryId) <= readUntil
  const marker = { timeline: 'home', readUntil } as const
  const isGap =
    newestUrl === null && olderUrl !== null && readUntil !== null && !posts.some((post) => isRead(post))
  const divider = entries.findIndex((entry, index) => {
    const before = index === 0 ? above : Number(entries[index - 1]?.entryId)
    return isRead(entry) && before !== null && readUntil !== null && before > readUntil
  })
  return (
    <Shell title={t('client.home')} place="home" isPrivate>
      <ViewHead title={t('client.home')} tabs={<TimelineTabs current="home" />}>
        {newestUrl !== null && <Newer url={newestUrl} count={newer} />}
        <Sliders choices={choices} />
      </ViewHead>
      {newestUrl === null && <QuickComposer draft={props.draft} reply={null} />}
      {posts.length === 0 && (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.postsByPeopleYouFollowAppear')}</p>
          <a class="button main" href={paths.suggestions}>
            {t('client.findPeople')}
          </a>
        </Empty>
      )}
      <Feed
        label={t('client.homeTimeline')}
        posts={entries}
        divider={{ index: divider, line: <ReadUntilHere /> }}
        {...(newestUrl === null
          ? { live: { streams: [{ stream: 'user' }], path: paths.home, marker, without: choices.without } }
          : {})}
      />
      {isGap ? <Gap url={olderUrl} /> : <Older url={olderUrl} />}
    </Shell>
  )
}

/** Stands where posts are missing between the newest and the last that was read. They come on request, with scripts in place. */
function Gap({ url }: { readonly url: string }) {
  const t = useTranslation()
  return (
    <p class="pad two">
      <a class="button" href={url} data-gap>
        {t('client.loadPostsInBetween')}
      </a>
      <a class="button" href={paths.catchUp}>
        {t('client.catchUp.catchUp')}
      </a>
    </p>
  )
}

const kindTexts = {
  boosts: 'client.boosts',
  replies: 'client.replies',
  quotes: 'client.quotes',
} as const satisfies Record<HomeKind, TextKey>

/** Chooses the kinds of entries that home shows. */
function Sliders({ choices: { without, gathersBoosts } }: Pick<HomePageProps, 'choices'>) {
  const t = useTranslation()
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.whatHomeShows')}>
        <Icon name="sliders-horizontal" />
      </summary>
      <form class="sheet" method="post" action={paths.home}>
        <CsrfField />
        <fieldset>
          <legend class="hidden">{t('client.whatHomeShows')}</legend>
          {homeKinds.map((kind) => (
            <label class="choice">
              <input type="checkbox" name={kind} value="true" checked={!without.includes(kind)} />
              <span>{t(kindTexts[kind])}</span>
            </label>
          ))}
          <label class="choice">
            <input type="checkbox" name="gather" value="true" checked={gathersBoosts} />
            <span>
              {t('client.gatherBoosts')}
              <small>{t('client.severalInAShortTimeBecomeOneLine')}</small>
            </span>
          </label>
        </fieldset>
        <button type="submit" class="button low">
          {t('common.save')}
        </button>
        {/* Beside the button of this menu it would move as the page comes in. */}
        <a class="row" href={paths.catchUp}>
          <Icon name="history" />
          {t('client.catchUp.catchUp')}
        </a>
      </form>
    </details>
  )
}

function ReadUntilHere() {
  const t = useTranslation()
  return (
    <p class="seen">
      <Icon name="check" isSmall />
      {t('client.youHadReadUntilHere')}
    </p>
  )
}
