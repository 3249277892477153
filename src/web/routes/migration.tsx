import { Hono } from 'hono'
import { combineQueries, execute } from '../../db/query'
import { addAlias, aliasesOf, removeAlias } from '../../domain/accounts/aliases'
import { selectKnown } from '../../domain/accounts/find'
import { accountsByUris } from '../../domain/accounts/find-by-uri'
import { cancelMove, findMove, moveAccount } from '../../domain/accounts/move'
import { findWithPassword } from '../../domain/users/passwords'
import { acctOf } from '../../lib/addresses'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { loadAccounts } from '../../view/load/accounts'
import { presentAccounts } from '../../view/present/account'
import type { FormErrors } from '../components/form'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { formErrors } from '../form-errors'
import { showInactiveAccount } from '../inactive-account'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { type MigrationField, MigrationPage } from '../settings/migration'
import { fullHandle } from '../status-view'
import { toSignIn } from './sign-in'

const messages: Readonly<Record<string, string>> = {
  alias: 'Your old account is named. Now start the move there.',
  removed: 'The alias is removed.',
  moved: 'Your account has moved. Your followers are on their way.',
  cancelled: 'Your profile points nowhere else any more.',
}

const fields = ['alias', 'handle', 'current_password'] as const satisfies readonly MigrationField[]

export function migrationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.migration, async (c) => {
    const visit = await openPage(c)
    const waiting = visit.session === null ? null : await showInactiveAccount(c, visit, visit.session)
    return waiting ?? showForm(c, visit, {}, () => '')
  })
  app.get(paths.aliases, (c) => c.redirect(paths.migration))
  app.post(paths.aliases, (c) =>
    act(c, 'alias', (ctx, own, form) => addAlias(ctx, own.accountId, form('alias'))),
  )
  app.post(`${paths.aliases}/remove`, (c) =>
    act(c, 'removed', (ctx, own, form) => removeAlias(ctx, own.accountId, form('uri'))),
  )
  app.post(paths.migration, (c) =>
    act(c, 'moved', async (ctx, { accountId }, form) => {
      // Whoever found an open browser must not be able to try passwords without end.
      await ctx.throttle.take('signInsByName', `account ${accountId}`)
      const { username } = await findWithPassword(ctx, accountId, form('current_password'))
      await moveAccount(ctx, { accountId, username, handle: form('handle') })
    }),
  )
  app.post(`${paths.migration}/cancel`, (c) =>
    act(c, 'cancelled', (ctx, { accountId }) => cancelMove(ctx, accountId)),
  )
  return app
}

type Session = NonNullable<PageRequest['session']>
type Form = Awaited<ReturnType<typeof readCsrfForm>>

async function act(
  c: AppContext,
  done: string,
  change: (ctx: ReturnType<typeof ctxOf>, session: Session, form: Form) => Promise<void>,
) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return toSignIn(c)
  const waiting = await showInactiveAccount(c, visit, visit.session)
  if (waiting !== null) return waiting
  try {
    await change(ctxOf(c), visit.session, form)
  } catch (failure) {
    return showForm(c, visit, formErrors(failure, fields), form)
  }
  return c.redirect(`${paths.migration}?done=${done}`, 303)
}

function ctxOf(c: AppContext) {
  return c.get('ctx')
}

async function showForm(c: AppContext, visit: PageRequest, errors: FormErrors<MigrationField>, form: Form) {
  const ctx = ctxOf(c)
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const uris = await execute(ctx.db, aliasesOf(ctx, session.accountId))
  const move = await findMove(ctx, session.accountId)
  const { known, people } = await execute(
    ctx.db,
    combineQueries({
      known: accountsByUris(ctx, uris),
      people: loadAccounts(
        ctx,
        selectKnown([session.accountId, ...(move.target === null ? [] : [move.target])]),
      ),
    }),
  )
  const [own, target] = presentAccounts(ctx.config, people)
  const page = {
    ...{ site, viewer, errors, csrfToken: await csrfTokenFor(c, visit) },
    typed: { alias: form('alias').slice(0, 300), handle: form('handle').slice(0, 300) },
    message: messages[c.req.query('done') ?? ''] ?? null,
    aliases: uris.map((uri) => {
      const alias = known.find(({ asked }) => asked === uri)
      return { uri, name: alias === undefined ? uri : `@${acctOf(alias)}` }
    }),
    movedTo:
      target === undefined || move.target === null
        ? null
        : { handle: fullHandle(ctx.config, target), url: target.url ?? target.uri },
    nextMoveAt: move.nextAt,
    followers: own?.followers_count ?? 0,
  }
  return showPage(c, <MigrationPage {...page} />, { status: Object.keys(errors).length === 0 ? 200 : 422 })
}
