import { combineQueries, execute, type Query } from '../../../db/query'
import { selectDirectory } from '../../../domain/accounts/find-directory'
import { type ViewerRef, viewerById } from '../../../domain/core/viewer'
import { computeSuggestions, isFresh } from '../../../domain/suggestions/compute'
import { type SuggestionList, selectSuggested, suggestionsFor } from '../../../domain/suggestions/find'
import { NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { type AccountBundle, loadAccounts } from '../../../view/load/accounts'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { usePage } from '../../page-context'
import { openedVisit } from '../../page-request'
import { paths } from '../../paths'
import { MorePeople, type MorePeopleProps, PeopleList } from '../../people/people-list'
import type { RelatedPerson } from '../../people/profile-view'
import { relatedPeople } from '../people/related'
import { nextPageUrl, offsetIn } from './offset'
import { PartPage } from './parts'

const pageSize = 40

interface Page {
  readonly limit: number
  readonly offset: number
}

/** A page of suggestions, and the stored list that it is part of; null before the first. */
interface Suggested {
  readonly list: SuggestionList | null
  readonly accounts: AccountBundle
}

/** Answers members with people they might like to follow. */
export function showSuggestions(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const page = { limit: pageSize, offset: offsetIn(c) }
  return showMemberView(c, {
    read: (_ctx, as) => loadSuggested(ctx, as, page),
    show: async ({ session }, found) => {
      const { accounts } = await filled(ctx, found, session.accountId, page)
      return (
        <SuggestionsPage
          people={await relatedPeople(ctx, accounts, session.accountId)}
          newestUrl={page.offset === 0 ? null : c.req.path}
          olderUrl={nextPageUrl(c.req.path, { ...page, found: accounts.ids.length })}
        />
      )
    },
  })
}

function loadSuggested(ctx: Ctx, as: ViewerRef, page: Page): Query<Suggested> {
  return combineQueries({
    list: suggestionsFor(ctx, as),
    accounts: loadAccounts(ctx, selectSuggested(as, page, ctx.clock.now())),
  })
}

/** The page as found unless it is empty: an old list is rebuilt after the answer. Else it is made now. */
async function filled(ctx: Ctx, found: Suggested, id: AccountId, page: Page): Promise<Suggested> {
  if (isFresh(found.list, ctx.clock.now())) return found
  const renewed = computeSuggestions(ctx, { id })
  if (found.accounts.ids.length > 0) {
    ctx.waitUntil(renewed)
    return found
  }
  await renewed
  return execute(ctx.db, loadSuggested(ctx, viewerById(id), page))
}

interface DirectoryAsked {
  readonly part: Page
  /** Addresses of the pages around one with so many people. */
  readonly neighbours: (found: number) => { readonly nextUrl: string | null }
  readonly forVisitors: () => Promise<Response>
}

/** Answers members with the local accounts that want to be found. */
export function showDirectory(
  c: AppContext,
  { part, neighbours, forVisitors }: DirectoryAsked,
): Promise<Response> {
  const ctx = c.get('ctx')
  return showMemberView(c, {
    forVisitors,
    read: (_ctx, as) => {
      const listed = { ...part, order: 'active', local: true } as const
      return loadAccounts(ctx, selectDirectory(as, listed, ctx.clock.now()))
    },
    show: async ({ session }, found) => {
      if (openedVisit(c)?.settings.profileDirectory !== true) throw new NotFound()
      return (
        <MemberDirectoryPage
          people={await relatedPeople(ctx, found, session.accountId)}
          newestUrl={part.offset === 0 ? null : c.req.path}
          olderUrl={neighbours(found.ids.length).nextUrl}
        />
      )
    },
  })
}

export interface PeoplePageProps extends MorePeopleProps {
  readonly people: readonly RelatedPerson[]
}

export function SuggestionsPage({ people, newestUrl, olderUrl }: PeoplePageProps) {
  const t = useTranslation()
  return (
    <PartPage part="people">
      <DirectoryLink />
      {people.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.peopleYouMightLikeAppearHere')}</p>
        </Empty>
      ) : (
        <PeopleList people={people} areSuggestions />
      )}
      <MorePeople newestUrl={newestUrl} olderUrl={olderUrl} />
    </PartPage>
  )
}

/** The link to the directory, where there is one. */
function DirectoryLink() {
  const t = useTranslation()
  const { site } = usePage()
  if (!site.places.includes('people')) return null
  return (
    <ul class="rows">
      <li>
        <a class="row-link" href={paths.people}>
          <span class="names">
            <b>{t('directory.peopleOnSite', { site: site.title })}</b>
            <br />
            <small>{t('directory.whoWantFoundWhoever')}</small>
          </span>
        </a>
      </li>
    </ul>
  )
}

/** Local accounts that want to be found, latest post first. */
export function MemberDirectoryPage({ people, newestUrl, olderUrl }: PeoplePageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const title = t('directory.peopleOnSite', { site: site.title })
  return (
    <Shell title={title} place="explore" isPrivate>
      <ViewHead title={title} back={paths.suggestions} />
      <p class="pad quiet small">{t('directory.whoWantFoundWhoever')}</p>
      {people.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('directory.nobodyHereYet')}</p>
        </Empty>
      ) : (
        <PeopleList people={people} />
      )}
      <MorePeople newestUrl={newestUrl} olderUrl={olderUrl} />
    </Shell>
  )
}
