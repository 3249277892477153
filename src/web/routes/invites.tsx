import { Hono } from 'hono'
import { execute } from '../../db/query'
import {
  createInvite,
  inviteLimits,
  type ListedInvite,
  listInvites,
  mayInvite,
  revokeInvite,
} from '../../domain/users/invites'
import { validationFailed } from '../../errors'
import { inviteUrl } from '../../lib/addresses'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { type InviteChoices, InvitesPage } from '../auth/invites'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { showPage } from '../page'
import { openPage } from '../page-request'
import { paths } from '../paths'
import { revoking } from './account'
import { toSignIn } from './sign-in'

const hour = 3_600

const choices: InviteChoices = {
  maxUses: [1, 5, 10, 25, 50, 100],
  expiry: [
    { seconds: hour / 2, text: '30 minutes' },
    { seconds: hour, text: '1 hour' },
    { seconds: 6 * hour, text: '6 hours' },
    { seconds: 12 * hour, text: '12 hours' },
    { seconds: 24 * hour, text: '1 day' },
    { seconds: 7 * 24 * hour, text: '1 week' },
  ],
}

const messages: Readonly<Record<string, string>> = {
  created: 'Your invitation is ready: send the link to whoever you invite.',
  revoked: 'The invitation no longer works.',
}

/** Where people make invitations. What becomes of one is the sign-up page's. */
export function inviteRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.invites, showInvites)
  app.post(paths.invites, postInvite)
  const revoke = revoking(`${paths.invites}?done=revoked`, (c, session, id) =>
    revokeInvite(c.get('ctx'), session.accountId, id),
  )
  app.post(`${paths.invites}/:id/revoke`, revoke)
  app.delete(`${paths.invites}/:id`, revoke)
  return app
}

async function showInvites(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const invites = await execute(ctx.db, listInvites(ctx, session.accountId))
  const page = {
    ...{
      site,
      viewer,
      csrfToken: await csrfTokenFor(c, visit),
      commentLimit: inviteLimits.commentCharacters,
    },
    message: messages[c.req.query('done') ?? ''] ?? null,
    choices: mayInvite(session) ? choices : null,
    invites: invites.map((invite) => shown(ctx.config.origin, invite)),
  }
  return showPage(c, <InvitesPage {...page} />)
}

function shown(origin: string, { id, code, ...invite }: ListedInvite) {
  return { ...invite, id: String(id), url: inviteUrl(origin, code) }
}

async function postInvite(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return c.redirect(paths.signIn, 303)
  await createInvite(c.get('ctx'), visit.session, {
    maxUses: chosen('Max uses', form('max_uses'), choices.maxUses),
    expiresInSeconds: chosen(
      'Expires in',
      form('expires_in'),
      choices.expiry.map(({ seconds }) => seconds),
    ),
    ...{ autofollow: form('autofollow') === 'true', comment: form('comment') },
  })
  return c.redirect(`${paths.invites}?done=created`, 303)
}

function chosen(field: string, text: string, offered: readonly number[]): number | null {
  if (text === '') return null
  const value = Number(text)
  if (!offered.includes(value)) throw validationFailed(`${field} is not included in the list`)
  return value
}
