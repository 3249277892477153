import { Hono } from 'hono'
import { execute } from '../../db/query'
import {
  type CleanupPolicy,
  defaultCleanup,
  parseThreshold,
  saveCleanup,
} from '../../domain/cleanup/cleanup-policy'
import { cleanupPolicyOf } from '../../domain/cleanup/find-cleanup'
import { Invalid } from '../../errors'
import type { AppContext, AppEnv } from '../../platform/app-env'
import type { FormErrors } from '../components/form'
import { csrfTokenFor, type Form, readCsrfForm } from '../csrf'
import { formErrors } from '../form-errors'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { type CleanupField, CleanupPage } from '../settings/cleanup'
import { toSignIn } from './sign-in'

const fields = ['age', 'favourites', 'boosts'] as const satisfies readonly CleanupField[]

export function cleanupRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.cleanup, async (c) => showForm(c, await openPage(c), {}, null))
  app.post(paths.cleanup, save)
  return app
}

async function save(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return toSignIn(c)
  try {
    await saveCleanup(c.get('ctx'), visit.session.accountId, sentPolicy(form))
  } catch (failure) {
    return showForm(c, visit, formErrors(failure, fields), form)
  }
  return c.redirect(`${paths.account}?done=cleanup`, 303)
}

/** A box that is not ticked is not sent. */
function chosen(form: Form): Omit<CleanupPolicy, 'minFavourites' | 'minReblogs'> {
  const isTicked = (name: string) => form(name) === 'true'
  return {
    enabled: isTicked('enabled'),
    minAgeSeconds: Number(form('age')),
    keepDirect: isTicked('keep_direct'),
    keepPinned: isTicked('keep_pinned'),
    keepPolls: isTicked('keep_polls'),
    keepMedia: isTicked('keep_media'),
    keepOwnFavourites: isTicked('keep_own_favourites'),
    keepOwnBookmarks: isTicked('keep_own_bookmarks'),
  }
}

function sentPolicy(form: Form): CleanupPolicy {
  const marks = {
    favourites: parseThreshold(form('favourites')),
    boosts: parseThreshold(form('boosts')),
  }
  const wrong = Object.entries(marks).filter(([, count]) => count === undefined)
  if (wrong.length > 0) {
    const problem = { error: 'ERR_INVALID', description: 'must be a whole number from 1 on, or empty' }
    throw new Invalid(
      'Validation failed: Not a number of marks',
      Object.fromEntries(wrong.map(([name]) => [name, [problem]])),
    )
  }
  const { favourites: minFavourites = null, boosts: minReblogs = null } = marks
  return { ...chosen(form), minFavourites, minReblogs }
}

async function showForm(
  c: AppContext,
  visit: PageRequest,
  errors: FormErrors<CleanupField>,
  form: Form | null,
) {
  const ctx = c.get('ctx')
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const saved = (await execute(ctx.db, cleanupPolicyOf(ctx, session.accountId))) ?? defaultCleanup
  const { minFavourites, minReblogs } = saved
  const page = {
    ...{ site, viewer, errors, csrfToken: await csrfTokenFor(c, visit) },
    policy: form === null ? saved : { ...chosen(form), minFavourites, minReblogs },
    typed: {
      minFavourites: form?.('favourites').slice(0, 10) ?? textOf(minFavourites),
      minReblogs: form?.('boosts').slice(0, 10) ?? textOf(minReblogs),
    },
  }
  return showPage(c, <CleanupPage {...page} />, { status: form === null ? 200 : 422 })
}

function textOf(count: number | null): string {
  return count === null ? '' : String(count)
}
