import { Hono } from 'hono'
import { selectById } from '../../domain/accounts/find'
import { NotFound } from '../../errors'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { memberOf, openPage } from '../page-request'
import { authorizeInteractionPath, paths } from '../paths'
import { requireMember } from '../require-member'
import { returnToOf, toSignIn } from '../return-to'
import { showElsewhere, showStatusElsewhere } from './profile/elsewhere'

/** Addresses of Mastodon's web app that have a page here. Those of settings stand with their pages (`redirectsFrom`). */
const pages: Readonly<Record<string, string>> = {
  '/timelines/home': paths.home,
  '/timelines/public': paths.allPosts,
  '/timelines/public/local': paths.posts,
  '/public/remote': paths.allPosts,
  '/timelines/direct': paths.conversations,
  '/statuses/new': paths.share,
}

/** Addresses of Mastodon's web app whose content only apps show. */
const forApps = ['/getting-started']

/**
 * Addresses of Mastodon's web app, which bookmarks, mails and pages of others link to: they lead to the page that has the
 * same, or to sign-in and the apps to use the server with. Pages of the web client answer theirs themselves.
 */
export function appAddressRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const prefix of ['/web', '/deck']) {
    app.get(prefix, (c) => c.redirect(paths.home))
    app.get(`${prefix}/*`, (c) => withoutPrefix(c, prefix))
  }
  for (const [path, target] of Object.entries(pages)) app.get(path, (c) => c.redirect(target))
  for (const path of forApps)
    app.get(path, async (c) => {
      const member = memberOf(await openPage(c))
      return member === null ? toSignIn(c) : c.redirect(paths.apps)
    })
  app.get('/timelines/tag/:tag', (c) => c.redirect(`${paths.tags}/${encodeURIComponent(c.req.param('tag'))}`))
  app.get('/accounts/:id{[0-9]{1,16}}', requireMember, (c) =>
    showElsewhere(c, selectById(Number(c.req.param('id')))),
  )
  app.get('/statuses/:id{[0-9]{1,16}}', requireMember, (c) =>
    showStatusElsewhere(c, Number(c.req.param('id'))),
  )
  app.get('/intent', intent)
  return app
}

/** `/web/@ada` is `/@ada`; what would lead to another server leads home. */
function withoutPrefix(c: AppContext, prefix: string): Response {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(returnToOf(c, pathname.slice(prefix.length) + search) ?? paths.home)
}

/** Links with the scheme `web+mastodon:`, which browsers give to the server that is registered for it. */
function intent(c: AppContext): Response {
  const uri = URL.parse(c.req.query('uri') ?? '')
  if (uri?.protocol !== 'web+mastodon:') throw new NotFound()
  const { host, searchParams } = uri
  if (host === 'follow')
    return c.redirect(authorizeInteractionPath((searchParams.get('uri') ?? '').replace(/^acct:/, ''), null))
  if (host === 'share')
    return c.redirect(`${paths.share}?${new URLSearchParams({ text: searchParams.get('text') ?? '' })}`)
  throw new NotFound()
}
