import { Hono } from 'hono'
import * as z from 'zod'
import { mostAccounts } from '../../../domain/sessions/sessions-of-browser'
import { endSessions, sessionSeconds } from '../../../domain/sessions/web-session'
import type { TextKey } from '../../../lib/translate'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { clearSlot } from '../../account-slots'
import { clearSecretCookie, readSecretCookie, setSecretCookie } from '../../cookies'
import { actingAs, csrfTokenFor, readBrowserForm, readCsrfForm } from '../../csrf'
import { keepDraft } from '../../member-pages/draft'
import { showPage } from '../../page'
import { heldSessions, openPage, summaryOf } from '../../page-request'
import { accountsPath, paths } from '../../paths'
import { returnToOf } from '../../return-to'
import { accountsOfBrowser } from './browser-accounts'
import { AccountsPage, SignOutPage } from './view'

/** The accounts of a browser: their list, the switch from one to another, and signing out. */
export function accountRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.accounts, showAccounts)
  app.post(paths.switchAccount, switchAccount)
  app.get(paths.signOut, async (c) => {
    const visit = await openPage(c)
    const session = visit.session ?? visit.restricted
    if (session === null) return c.redirect(visit.slots.length > 0 ? paths.accounts : paths.front)
    const page = { viewer: null, csrfToken: await csrfTokenFor(c, visit) }
    return showPage(c, <SignOutPage account={summaryOf(c, session)} returnTo={null} />, page)
  })
  app.post(paths.signOut, signOut)
  return app
}

/** Codes rather than texts in the address: links must not put words on the page. */
const messages: ReadonlyMap<string, TextKey> = new Map([
  ['out', 'accounts.signedOutOthersStay'],
  ['ended', 'accounts.hasEnded'],
])

async function showAccounts(c: AppContext) {
  const visit = await openPage(c)
  const accounts = await accountsOfBrowser(c, visit)
  const left = await readSecretCookie(c, 'left')
  if (left !== null) clearSecretCookie(c, 'left')
  const returnTo = returnToOf(c, c.req.query('return_to'))
  const mayAdd = accounts.filter(({ state }) => state !== 'ended').length < mostAccounts
  return showPage(c, <AccountsPage {...{ accounts, returnTo, mayAdd, left }} />, {
    csrfToken: await csrfTokenFor(c, visit),
    message: messages.get(c.req.query('done') ?? '') ?? null,
    script: 'accounts.js',
  })
}

const Typed = z.record(z.string(), z.string())

/** Makes another account of this browser the active one, and goes on where its page was left, with what was typed there. */
async function switchAccount(c: AppContext) {
  const visit = await openPage(c)
  const form = await readBrowserForm(c, visit)
  const returnTo = returnToOf(c, form('return_to'))
  const slot = visit.slots.find(({ username }) => username === form('account'))
  const held = await heldSessions(c, visit)
  const session = held.find(({ username }) => username === slot?.username)
  if (slot === undefined || session === undefined) return c.redirect(accountsPath(returnTo, 'ended'), 303)
  await setSecretCookie(c, 'session', slot.secret, sessionSeconds)
  if (session.isRestricted) return c.redirect(paths.strikes, 303)
  const back = returnTo ?? paths.home
  const typed = Typed.safeParse(jsonIn(form('typed'))).data
  if (typed !== undefined) {
    const fields = new Map([...Object.entries(typed), [actingAs, slot.username]])
    const named = (name: string) => fields.get(name) ?? ''
    await keepDraft(c, { path: back, action: form('typed_at'), names: [...fields.keys()], form: named })
  }
  return c.redirect(back, 303)
}

function jsonIn(text: string): unknown {
  return text === '' ? null : JSON.parse(text)
}

/** Ends the session of the active account, of another one of this browser, or of all. The others stay. */
async function signOut(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const active = visit.session ?? visit.restricted
  const named = form('account') || (active?.username ?? '')
  const isEnded = ({ username }: { readonly username: string }) => form('all') === '1' || username === named
  const held = visit.slots.length > 0 ? await heldSessions(c, visit) : active === null ? [] : [active]
  await endSessions(c.get('ctx'), held.filter(isEnded))
  for (const { username } of visit.slots.filter(isEnded)) clearSlot(c, username)
  if (active === null || isEnded(active)) clearSecretCookie(c, 'session')
  const returnTo = returnToOf(c, form('return_to'))
  if (held.every(isEnded)) {
    // Drafts that scripts keep on the device must not be found by the next person.
    c.header('Clear-Site-Data', '"storage"')
    return c.redirect(returnTo ?? paths.front, 303)
  }
  // Drafts of the others stay: the next page forgets what the device keeps for this account alone.
  await setSecretCookie(c, 'left', named, leftSeconds)
  return c.redirect(accountsPath(returnTo, 'out'), 303)
}

/** Time in which the page after a sign-out is opened. */
const leftSeconds = 600
