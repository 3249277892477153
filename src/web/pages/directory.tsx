import { Hono } from 'hono'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { ExploreTabs } from '../components/explore-tabs'
import { VisitorView } from '../components/layout'
import { Empty } from '../components/shell'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { mayBrowse, memberOf, openPageWith } from '../page-request'
import { paths } from '../paths'
import { type Introduced, IntroducedPeople } from '../people/people-list'
import { listedPeople } from '../public-content'
import { toSignIn } from '../return-to'
import { showDirectory } from './explore/people'

const pageSize = 40
/** Bounds the work: the accounts of all pages before are read as well. */
const lastPage = 25

/** The local accounts that want to be found. */
export function directoryRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.people, (c) => {
    const page = readPage(c)
    const part = { limit: pageSize, offset: (page - 1) * pageSize }
    const neighbours = (found: number) => neighboursOf(page, found)
    return showDirectory(c, { part, neighbours, forVisitors: () => showPeople(c, page) })
  })
  return app
}

async function showPeople(c: AppContext, page: number) {
  const ctx = c.get('ctx')
  const people = listedPeople(ctx, { limit: pageSize, offset: (page - 1) * pageSize })
  const { visit, found } = await openPageWith(c, people)
  if (!visit.settings.profileDirectory) throw new NotFound()
  if (!mayBrowse(ctx.config, memberOf(visit))) return toSignIn(c)
  return showPublicPage(c, visit, <DirectoryPage people={found} {...neighboursOf(page, found.length)} />)
}

/** Addresses of the pages before and after a page with so many people. Pure. */
function neighboursOf(page: number, found: number) {
  const isLast = found < pageSize || page === lastPage
  return { previousUrl: page === 1 ? null : urlOf(page - 1), nextUrl: isLast ? null : urlOf(page + 1) }
}

function readPage(c: AppContext): number {
  const asked = c.req.query('page') ?? '1'
  const page = /^\d{1,2}$/.test(asked) ? Number(asked) : 0
  if (page < 1 || page > lastPage) throw new NotFound()
  return page
}

function urlOf(page: number): string {
  return page === 1 ? paths.people : `${paths.people}?page=${page}`
}

export interface DirectoryPageProps {
  readonly people: readonly Introduced[]
  readonly previousUrl: string | null
  readonly nextUrl: string | null
}

/** Local accounts that want to be found, latest post first. */
export function DirectoryPage({ people, previousUrl, nextUrl }: DirectoryPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <VisitorView
      title={t('common.people')}
      heading={t('directory.peopleOnSite', { site: site.title })}
      place="people"
      isPrivate
    >
      <ExploreTabs current="people" />
      <p class="pad quiet">{t('directory.whoWantFoundWhoever')}</p>
      {people.length === 0 ? (
        <Empty title={t('directory.nobodyHereYet')} />
      ) : (
        <IntroducedPeople people={people} />
      )}
      {(previousUrl !== null || nextUrl !== null) && (
        <nav class="pad two" aria-label={t('common.pages')}>
          {previousUrl !== null && (
            <a class="button" href={previousUrl} rel="prev">
              {t('directory.back')}
            </a>
          )}
          {nextUrl !== null && (
            <a class="button" href={nextUrl} rel="next">
              {t('common.morePeople')}
            </a>
          )}
        </nav>
      )}
    </VisitorView>
  )
}
