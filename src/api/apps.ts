import * as z from 'zod'
import { Application, CredentialApplication } from '../contract/entities/oauth'
import { both, execute } from '../db/query'
import type { Viewer } from '../domain/core/viewer'
import { ensureVapidKey, loadVapidKey } from '../domain/instance/keys'
import { findApplicationById, registerApplication } from '../domain/sessions/applications'
import { requireToken } from '../domain/sessions/find'
import { Unauthorized } from '../errors'
import { presentApplication, presentCredentials } from '../view/present/oauth'
import { type Auth, anyone, endpoint } from './endpoint'

/** Missing values are refused together with the other problems, as 422. */
const Text = z.string().nullish()

/** A text with one redirect URI per line, or a list. */
const RedirectUris = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .transform((sent) => (Array.isArray(sent) ? sent : [sent ?? '']).flatMap((text) => text.split(/\s+/)))
  .transform((uris) => uris.filter((uri) => uri !== ''))

/** Mastodon reads scopes as text only and ignores lists. */
const ScopeText = z.preprocess((sent) => (typeof sent === 'string' ? sent : undefined), z.string().optional())

/** Of an application or of a user. */
const anyToken: Auth<Viewer | null> = {
  kind: 'token',
  scope: null,
  admit: (caller) => requireToken(caller).person?.viewer ?? null,
}

export const apps = [
  endpoint({
    path: '/api/v1/apps',
    summary: 'Register an application',
    auth: anyone(),
    limit: 'apps',
    input: z.object({
      client_name: Text,
      redirect_uris: RedirectUris,
      scopes: ScopeText,
      website: Text,
    }),
    output: CredentialApplication,
    async run(ctx, { input }) {
      const { application, secret } = await registerApplication(ctx, {
        name: input.client_name ?? '',
        website: input.website == null || input.website.trim() === '' ? null : input.website.trim(),
        redirectUris: input.redirect_uris,
        scopes: input.scopes ?? null,
      })
      const vapidKey = await ensureVapidKey(ctx, await execute(ctx.db, loadVapidKey(ctx)))
      return presentCredentials(application, vapidKey, secret)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/api/v1/apps/verify_credentials',
    summary: 'The application a token belongs to',
    auth: anyToken,
    output: Application,
    async run(ctx, { caller }) {
      const wanted = both(findApplicationById(ctx, requireToken(caller).applicationId), loadVapidKey(ctx))
      const [application, vapidKey] = await execute(ctx.db, wanted)
      if (application === null) throw new Unauthorized()
      return presentApplication(application, await ensureVapidKey(ctx, vapidKey))
    },
  }),
]
