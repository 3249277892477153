import { Hono } from 'hono'
import type { AppEnv } from '../platform/app-env'
import { accountRoutes } from './routes/account'
import { annualReportRoutes } from './routes/annual-reports'
import { authorizeRoutes } from './routes/authorize'
import { cleanupRoutes } from './routes/cleanup'
import { collectionRoutes } from './routes/collections'
import { confirmationRoutes } from './routes/confirmation'
import { deletionRoutes } from './routes/deletion'
import { emailRoutes } from './routes/email'
import { embedRoutes } from './routes/embeds'
import { exploreRoutes } from './routes/explore'
import { inviteRoutes } from './routes/invites'
import { mailRoutes } from './routes/mail'
import { migrationRoutes } from './routes/migration'
import { passwordRoutes } from './routes/passwords'
import { preferenceRoutes } from './routes/preferences'
import { profileRoutes } from './routes/profiles'
import { publicRoutes } from './routes/public'
import { scheduledRoutes } from './routes/scheduled'
import { signInRoutes } from './routes/sign-in'
import { signUpRoutes } from './routes/sign-up'
import { tagRoutes } from './routes/tags'
import { transferRoutes } from './routes/transfers'

/** Every page people see, with the forms on it. */
export function pageRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const parts = [
    accountRoutes,
    annualReportRoutes,
    authorizeRoutes,
    cleanupRoutes,
    collectionRoutes,
    confirmationRoutes,
    deletionRoutes,
    emailRoutes,
    embedRoutes,
    exploreRoutes,
    inviteRoutes,
    mailRoutes,
    migrationRoutes,
    passwordRoutes,
    preferenceRoutes,
    profileRoutes,
    publicRoutes,
    scheduledRoutes,
    signInRoutes,
    signUpRoutes,
    tagRoutes,
    transferRoutes,
  ]
  for (const part of parts) app.route('/', part())
  return app
}
