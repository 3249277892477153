import { Hono } from 'hono'
import { addHeaders } from './app'
import { chosenConfigOf, configOf, reportBadConfiguration, setUpConfigOf } from './cloudflare/config-cache'
import { installationOf, installedFor } from './cloudflare/installation'
import { BadConfiguration, setUpSecretOf } from './config'
import { NotFound } from './errors'
import type { AppContext, AppEnv } from './ports/app-env'
import { showMisconfigured } from './web/misconfigured'
import { setUpRoutes, showSetUpFailure } from './web/pages/set-up/routes'
import type { SetUpPorts } from './web/pages/set-up/types'
import { paths } from './web/paths'
import { cataloguesOf, type wire } from './wire'

/**
 * Builds the app of a server that does not run yet: pages of set-up, and one sentence for all others. `begin` makes the Ctx of
 * a request.
 */
export function buildSetUpApp(begin: typeof wire) {
  const app = new Hono<AppEnv>()
  const lifetimeOf = (c: AppContext) => ({
    waitUntil: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
  })
  app.use('*', async (c, next) => {
    const config = setUpConfigOf(c.env, c.req.url)
    c.set('ctx', begin(c.env, lifetimeOf(c), { config }))
    await next()
    addHeaders(c.get('ctx'), c.res.headers)
  })
  app.use('*', async (c, next) => {
    // A server with an owner has no set-up: it is migrated by itself, or opened again where its set-up secret was changed.
    const isOver = installedFor(c.env)?.state === 'migrating'
    const isSetUp = !isOver && (c.req.path === paths.setUp || c.req.path.startsWith(`${paths.setUp}/`))
    if (isSetUp) return next()
    const readsPages = c.req.header('accept')?.includes('text/html') === true
    if (!isOver && c.req.method === 'GET' && readsPages) return c.redirect(paths.setUp, 303)
    return showMisconfigured(c, notReadyOf(c.env), cataloguesOf(c.env))
  })
  app.route(
    '/',
    setUpRoutes((c) => portsOf(c)),
  )
  app.notFound((c) => showSetUpFailure(c, new NotFound('no_page')))
  app.onError((failure, c) => {
    if (!(failure instanceof BadConfiguration)) return showSetUpFailure(c, failure)
    reportBadConfiguration(c.env, failure)
    return showMisconfigured(c, failure, cataloguesOf(c.env))
  })
  return app

  function portsOf(c: AppContext): SetUpPorts {
    const [installation, setupSecret] = [installationOf(c.env), setUpSecretOf(c.env)]
    if (installation === null || setupSecret === null) throw notReadyOf(c.env)
    return {
      installation,
      setupSecret,
      server: () => begin(c.env, lifetimeOf(c), { config: chosenConfigOf(c.env) }),
    }
  }
}

/** Reason why the server does not run. */
function notReadyOf(env: Env): BadConfiguration {
  try {
    configOf(env)
  } catch (failure) {
    if (failure instanceof BadConfiguration) return failure
    throw failure
  }
  throw new Error('The server runs: it has no set-up')
}
