import { Hono } from 'hono'
import type * as z from 'zod'
import type { AppEnv } from '../../ports/app-env'
import type { MemberPage, PageRoute, PageSpec } from './declaration'
import { sendDownload, show, submit } from './handle'

/** Declares a page: who may open it, its place in the menu, what it loads, how it looks, and its forms. */
export function memberPage<S extends z.ZodObject, F, N extends string = never>(
  spec: PageSpec<S, F, N>,
): MemberPage {
  const get = (path: string, handle: PageRoute['handle']): PageRoute => ({ method: 'GET', path, handle })
  const { alsoAt = [], redirectsFrom = [], downloads = [], submissions } = spec
  return {
    ...spec,
    routes: [
      ...[spec.path, ...alsoAt].map((path) => get(path, (c, pages) => show(c, spec, pages))),
      ...redirectsFrom.map((path) => get(path, async (c) => c.redirect(spec.path))),
      ...downloads.map(({ path, send }) => get(path, (c) => sendDownload(c, spec.access, send))),
      ...submissions.flatMap((submission) =>
        (submission.methods ?? ['POST' as const]).map(
          (method): PageRoute => ({
            method,
            path: submission.path ?? spec.path,
            asks: submission.ask !== undefined,
            handle: (c, pages) => submit(c, spec, submission, pages),
          }),
        ),
      ),
    ],
  }
}

/** Routes of pages that share their menus. */
export function memberPageRoutes(pages: readonly MemberPage[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  for (const { routes } of pages)
    for (const { method, path, handle } of routes) app.on(method, path, (c) => handle(c, pages))
  return app
}
