import { Hono } from 'hono'
import { execute } from '../../db/query'
import { preferencesOf } from '../../domain/users/defaults'
import { findOwnSettings, parseChoice, savePreferences } from '../../domain/users/preferences'
import { languages } from '../../lib/language'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { csrfTokenFor, type Form, readCsrfForm } from '../csrf'
import { showPage } from '../page'
import { openPage, type PageRequest } from '../page-request'
import { paths } from '../paths'
import { languageField, PreferencesPage } from '../settings/preferences'
import { toSignIn } from './sign-in'

export function preferenceRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.preferences, async (c) => showForm(c, await openPage(c), null))
  app.post(paths.preferences, save)
  return app
}

async function save(c: AppContext) {
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  if (visit.session === null) return toSignIn(c)
  const choice = parseChoice(sentChoice(form))
  if (choice === null) return showForm(c, visit, 'Please choose from what is offered')
  await savePreferences(c.get('ctx'), visit.session.accountId, choice)
  return c.redirect(`${paths.account}?done=preferences`, 303)
}

/** A box that is not ticked is not sent. */
function sentChoice(form: Form) {
  const isTicked = (name: string) => form(name) === 'true'
  return {
    defaultVisibility: form('visibility'),
    defaultSensitive: isTicked('sensitive'),
    defaultLanguage: form('language') === '' ? null : form('language'),
    defaultQuotePolicy: form('quote_policy'),
    chosenLanguages: languages.map(({ code }) => code).filter((code) => isTicked(languageField(code))),
    expandMedia: form('expand_media'),
    expandSpoilers: isTicked('expand_spoilers'),
    autoplayGifs: isTicked('autoplay_gifs'),
    showApplication: isTicked('show_application'),
  }
}

async function showForm(c: AppContext, visit: PageRequest, problem: string | null) {
  const ctx = c.get('ctx')
  const { site, viewer, session } = visit
  const own = session === null ? null : await execute(ctx.db, findOwnSettings(ctx, session.accountId))
  if (viewer === null || own === null) return toSignIn(c)
  const page = {
    ...{ site, viewer, problem, csrfToken: await csrfTokenFor(c, visit) },
    preferences: preferencesOf(own),
    language: own.settings.defaultLanguage ?? null,
    showsApplication: own.settings.showApplication ?? true,
    chosenLanguages: own.settings.chosenLanguages ?? [],
  }
  return showPage(c, <PreferencesPage {...page} />, { status: problem === null ? 200 : 422 })
}
