import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { acctOf } from '../../../contract/addresses'
import { type Handle, parseHandle } from '../../../contract/handle'
import { combineQueries } from '../../../db/query'
import { idByHandle, selectByHandle } from '../../../domain/accounts/find'
import { favouritersOf, visibleRebloggersOf } from '../../../domain/interactions/find-accounts'
import { followersOf, followingOf } from '../../../domain/relationships/account-lists'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { loadRelationships } from '../../../view/load/relationships'
import { loadStatuses, statusesById } from '../../../view/load/statuses'
import { presentOnlyAccount, presentRelationship } from '../../../view/present/account'
import { presentOnlyStatus } from '../../../view/present/status'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { MorePeople, type MorePeopleProps, PeopleList } from '../../people/people-list'
import { type Profile, profileOf, type RelatedPerson } from '../../people/profile-view'
import { type PersonView, personView } from '../../posts/post-view'
import { relatedPeople } from './related'

const pageSize = 40

/** Lists of people, at the addresses that Mastodon's web has: followers, follows, and marks of a post. */
export function peopleListRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}/followers', (c) => showFollows(c, 'followers'))
  app.get('/:handle{@[^/]+}/following', (c) => showFollows(c, 'following'))
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}/reblogs', (c) => showMarks(c, 'reblogs'))
  app.get('/:handle{@[^/]+}/:id{[0-9]{1,16}}/favourites', (c) => showMarks(c, 'favourites'))
  return app
}

/** The handle in the path. */
export function handleInPath(c: AppContext): Handle {
  const handle = parseHandle(c.req.param('handle') ?? '', c.get('ctx').config.ownDomains)
  if (handle === null) throw new NotFound()
  return handle
}

type Follows = 'followers' | 'following'

const selections = { followers: followersOf, following: followingOf } as const

function showFollows(c: AppContext, kind: Follows): Promise<Response> {
  const { config } = c.get('ctx')
  const handle = handleInPath(c)
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => {
      const query = { viewer: as, id: idByHandle(handle), now: ctx.clock.now() }
      return combineQueries({
        account: loadAccounts(ctx, selectByHandle(handle)),
        relationships: loadRelationships(ctx, as, selectByHandle(handle)),
        people: loadAccounts(ctx, selections[kind](query, { limit: pageSize, maxId })),
      })
    },
    show: async (frame, { account, relationships, people }) => {
      const readerId = frame.session.accountId
      const [facts] = relationships
      if (facts === undefined) throw new NotFound()
      const profile = profileOf(config, presentOnlyAccount(config, account), {
        relationship: presentRelationship(facts),
        readerId,
        showsLimited: true,
      })
      const isShown = profile.hiding === null
      return (
        <FollowsPage
          kind={kind}
          profile={profile}
          people={isShown ? await relatedPeople(c.get('ctx'), people, readerId) : []}
          newestUrl={maxId === undefined ? null : c.req.path}
          olderUrl={isShown ? olderPageUrl(c, people, pageSize) : null}
        />
      )
    },
  })
}

export interface FollowsPageProps extends MorePeopleProps {
  readonly kind: Follows
  readonly profile: Profile
  readonly people: readonly RelatedPerson[]
}

export function FollowsPage({ kind, profile, people, newestUrl, olderUrl }: FollowsPageProps) {
  const t = useTranslation()
  const { name, domain, url, hidesPeople } = profile
  const title =
    kind === 'followers'
      ? t('client.person.followersOfName', { name })
      : t('client.person.peopleNameFollows', { name })
  return (
    <PeoplePage
      title={title}
      back={profile.path}
      people={people}
      empty={t(hidesPeople ? 'client.person.hidesPeopleSentence' : 'client.person.peopleAppearHere')}
    >
      {domain !== null && (
        <p class="pad quiet">
          {t.rich('client.person.onlyKnownHere', {
            domain,
            link: (words: Child[]) => (
              <a href={`${url}/${kind}`} rel="noopener">
                {words}
              </a>
            ),
          })}
        </p>
      )}
      <MorePeople newestUrl={newestUrl} olderUrl={olderUrl} />
    </PeoplePage>
  )
}

type Marks = 'reblogs' | 'favourites'

const markers = { reblogs: visibleRebloggersOf, favourites: favouritersOf } as const

function showMarks(c: AppContext, kind: Marks): Promise<Response> {
  const { config } = c.get('ctx')
  const acct = acctOf(handleInPath(c)).toLowerCase()
  const id = Number(c.req.param('id'))
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => {
      const query = { viewer: as, id, now: ctx.clock.now() }
      return combineQueries({
        bundle: loadStatuses(ctx, as, statusesById([id])),
        people: loadAccounts(ctx, markers[kind](query, { limit: pageSize, maxId })),
      })
    },
    show: async (frame, { bundle, people }) => {
      const { account } = presentOnlyStatus({ config, now: frame.now }, bundle)
      if (account.acct.toLowerCase() !== acct) throw new NotFound()
      return (
        <MarksPage
          kind={kind}
          author={personView(config, account)}
          postId={String(id)}
          people={await relatedPeople(c.get('ctx'), people, frame.session.accountId)}
          newestUrl={maxId === undefined ? null : c.req.path}
          olderUrl={olderPageUrl(c, people, pageSize)}
        />
      )
    },
  })
}

export interface MarksPageProps extends MorePeopleProps {
  readonly kind: Marks
  readonly author: PersonView
  readonly postId: string
  readonly people: readonly RelatedPerson[]
}

export function MarksPage({ kind, author, postId, people, newestUrl, olderUrl }: MarksPageProps) {
  const t = useTranslation()
  const title = t(kind === 'reblogs' ? 'client.person.boostedBy' : 'client.person.favouritedBy')
  return (
    <PeoplePage
      title={title}
      line={t('status.postByName', { name: author.name })}
      back={`${author.path}/${postId}`}
      people={people}
      empty={t('client.person.peopleAppearHere')}
    >
      <MorePeople newestUrl={newestUrl} olderUrl={olderUrl} />
    </PeoplePage>
  )
}

interface PeoplePageProps {
  readonly title: string
  readonly line?: string
  readonly back: string
  readonly people: readonly RelatedPerson[]
  /** Sentence of an empty list. */
  readonly empty: string
  readonly children: Child
}

function PeoplePage({ title, line, back, people, empty, children }: PeoplePageProps) {
  const t = useTranslation()
  return (
    <Shell title={title} place={null} isPrivate>
      <ViewHead title={title} line={line} back={back} />
      {people.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{empty}</p>
        </Empty>
      ) : (
        <PeopleList people={people} />
      )}
      {children}
    </Shell>
  )
}
