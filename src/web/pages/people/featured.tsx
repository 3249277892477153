import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { idByHandle } from '../../../domain/accounts/find'
import { collectionsOf } from '../../../domain/collections/find'
import { endorsementsOf } from '../../../domain/relationships/account-lists'
import { NotFound } from '../../../errors'
import { htmlToText } from '../../../lib/html'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { loadCollections } from '../../../view/load/collections'
import { presentCollection } from '../../../view/present/collection'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { paths } from '../../paths'
import { PeopleList } from '../../people/people-list'
import { ProfileHead, type ProfileHeadProps } from '../../people/profile-head'
import { MemberTabs } from '../../people/profile-tabs'
import type { RelatedPerson } from '../../people/profile-view'
import { handleInPath } from './lists'
import { loadProfile, profileHeadOf } from './load-profile'
import { relatedPeople } from './related'

const mostPeople = 40
const mostCollections = 20

/** The tab of a profile with the people and collections that its owner features. */
export function featuredRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[^/]+}/featured', showFeatured)
  return app
}

function showFeatured(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const handle = handleInPath(c)
  return showMemberView(c, {
    read: (ctx, as) => {
      const owner = idByHandle(handle)
      const query = { viewer: as, id: owner, now: ctx.clock.now() }
      return combineQueries({
        head: loadProfile(ctx, as, { handle, isFront: false }),
        people: loadAccounts(ctx, endorsementsOf(query, { limit: mostPeople })),
        collections: loadCollections(
          ctx,
          as,
          collectionsOf(as, owner, { limit: mostCollections, offset: 0 }),
        ),
      })
    },
    show: async (frame, { head: found, people, collections }) => {
      if (found.account.ids.length === 0) throw new NotFound()
      const ctx = c.get('ctx')
      const readerId = frame.session.accountId
      const head = await profileHeadOf(ctx, found, { readerId, showsLimited: true })
      const isShown = head.profile.hiding === null
      const shown = isShown ? collections.map((one) => presentCollection(config, one)) : []
      return (
        <FeaturedPage
          head={head}
          people={isShown ? await relatedPeople(ctx, people, readerId) : []}
          collections={shown.map(({ name, description, url, uri }) => ({
            name,
            description: htmlToText(description),
            url: url ?? uri,
          }))}
        />
      )
    },
  })
}

export interface FeaturedPageProps {
  readonly head: ProfileHeadProps
  readonly people: readonly RelatedPerson[]
  readonly collections: readonly {
    readonly name: string
    readonly description: string
    readonly url: string
  }[]
}

export function FeaturedPage({ head, people, collections }: FeaturedPageProps) {
  const { profile } = head
  const t = useTranslation()
  const title = `${t('client.person.featured')}: ${profile.name} (@${profile.acct})`
  return (
    <Shell title={title} place={profile.isOwn ? 'profile' : null} isPrivate>
      <ViewHead
        title={profile.name}
        line={t('client.person.postsInWords', { count: profile.counts.posts })}
        back={paths.home}
      />
      <ProfileHead {...head} />
      {profile.hiding === null && (
        <>
          <MemberTabs path={profile.path} current="featured" />
          {people.length + collections.length === 0 && (
            <Empty title={t('client.nothingHereYet')}>
              <p>{t('client.person.featuredAppearsHere')}</p>
            </Empty>
          )}
          {collections.length > 0 && (
            <ul class="rows" aria-label={t('field.collections')}>
              {collections.map(({ name, description, url }) => (
                <li>
                  <a class="row-link" href={url}>
                    <Icon name="list" />
                    <span class="names">
                      <bdi class="one">{name}</bdi>
                      {description !== '' && <small dir="auto">{description}</small>}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          {people.length > 0 && <PeopleList people={people} />}
        </>
      )}
    </Shell>
  )
}
