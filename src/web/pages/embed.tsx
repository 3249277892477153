import { Hono } from 'hono'
import { statusUrl } from '../../contract/addresses'
import { combineQueries, execute } from '../../db/query'
import { anonymousViewer } from '../../domain/core/viewer'
import { pickPageSettings } from '../../domain/instance/settings'
import { admitAnonymous } from '../../domain/sessions/flood'
import { ownAtAddress } from '../../domain/statuses/find'
import { assetPath } from '../../lib/assets'
import { type AppContext, type AppEnv, clientIp } from '../../ports/app-env'
import { loadStatuses } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { WholePage } from '../components/head'
import { pageSheets } from '../components/layout'
import { useTranslation } from '../i18n/context'
import { showFramed } from '../page'
import { usePage } from '../page-context'
import { type PostView, postView } from '../posts/post-view'
import { FocusedPost } from '../posts/thread'
import { requireMember } from '../require-member'
import { lookSettings, siteOf } from '../site-of'

/** Statuses for frames of other sites. They show only public ones, so sessions are ignored. */
export function embedRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/:handle{@[\\w.-]+}/:id{[0-9]{1,16}}/embed', requireMember, (c) =>
    showEmbed(c, c.req.param('handle').slice(1), Number(c.req.param('id'))),
  )
  return app
}

async function showEmbed(c: AppContext, username: string, id: number) {
  const ctx = c.get('ctx')
  const { config, clock, db } = ctx
  await admitAnonymous(ctx, clientIp(c))
  const url = statusUrl(config.origin, username, id)
  const { settings, found } = await execute(
    db,
    combineQueries({
      settings: pickPageSettings(ctx, ['title', 'termsOfService', ...lookSettings]),
      found: loadStatuses(ctx, anonymousViewer, ownAtAddress(ctx, url)),
    }),
  )
  const status = presentOnlyStatus({ config, now: clock.now() }, found)
  return showFramed(c, siteOf(config, settings), <EmbedPage post={postView(config, status, null)} />)
}

export interface EmbedPageProps {
  readonly post: PostView
}

/** A status for the frames of other sites: its links open outside of them. */
export function EmbedPage({ post }: EmbedPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { name, handle } = post.author
  return (
    <WholePage>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        <meta name="robots" content="noindex" />
        <base target="_blank" />
        <title>{`${name} (${handle}) · ${site.title}`}</title>
        <link rel="canonical" href={post.url} />
        {pageSheets.map((sheet) => (
          <link rel="stylesheet" href={assetPath(sheet)} />
        ))}
      </head>
      <body class="page-embed">
        <main>
          <h1 class="hidden">{t('status.postByName', { name })}</h1>
          <FocusedPost post={post} part={null} translation={null} />
          <p class="pad quiet small">
            <a href={post.url}>{t('status.onDomain', { domain: site.domain })}</a>
            {/* The licence requires it on every page. */}
            {' · '}
            <a href={site.sourceUrl}>{t('status.sourceCode')}</a>
          </p>
        </main>
      </body>
    </WholePage>
  )
}
