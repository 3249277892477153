import { Hono } from 'hono'
import { combineQueries } from '../../db/query'
import { pickSettings } from '../../domain/instance/settings'
import { liveFeedAccess } from '../../domain/timelines/access'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { showPublicPage } from '../page'
import { memberOf, openPageWith } from '../page-request'
import { paths } from '../paths'
import { DirectoryPage } from '../public/directory'
import { PostsPage } from '../public/posts'
import { listedPeople, localPosts, mayBrowse, mayReadPosts } from '../public-content'
import { olderPageUrl, parseMaxId } from './pagination'
import { toSignIn } from './sign-in'

const postsPerPage = 20
const peoplePerPage = 40
/** What comes before a page is read as well. */
const lastPage = 25

/** The people of this server and what they post, for whoever looks around. */
export function exploreRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.posts, showPosts)
  app.get(paths.people, showPeople)
  return app
}

async function showPosts(c: AppContext) {
  const ctx = c.get('ctx')
  const maxId = parseMaxId(c)
  const posts = localPosts(ctx, { limit: postsPerPage, maxId })
  const { visit, found } = await openPageWith(c, combineQueries({ access: liveFeedAccess(ctx), posts }))
  if (!mayReadPosts(c, visit, found.access)) return refuse(c, memberOf(visit) === null)
  const page = {
    ...{ site: visit.site, viewer: visit.viewer, statuses: found.posts.statuses },
    newestUrl: maxId === undefined ? null : paths.posts,
    olderUrl: olderPageUrl(c, found.posts, postsPerPage),
  }
  return showPublicPage(c, visit, <PostsPage {...page} />)
}

async function showPeople(c: AppContext) {
  const ctx = c.get('ctx')
  const page = readPage(c)
  const people = listedPeople(ctx, { limit: peoplePerPage, offset: (page - 1) * peoplePerPage })
  const settings = pickSettings(ctx, ['profileDirectory'])
  const { visit, found } = await openPageWith(c, combineQueries({ settings, people }))
  if (!found.settings.profileDirectory) throw new NotFound()
  if (!mayBrowse(c, visit)) return refuse(c, true)
  const isLast = found.people.length < peoplePerPage || page === lastPage
  const shown = {
    ...{ site: visit.site, viewer: visit.viewer, people: found.people },
    previousUrl: page === 1 ? null : urlOf(page - 1),
    nextUrl: isLast ? null : urlOf(page + 1),
  }
  return showPublicPage(c, visit, <DirectoryPage {...shown} />)
}

/** Strangers may be somebody who is let in; for members there is nothing. */
function refuse(c: AppContext, isStranger: boolean): Response {
  if (isStranger) return toSignIn(c)
  throw new NotFound()
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
