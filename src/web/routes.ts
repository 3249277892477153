import { Hono } from 'hono'
import type { AppEnv } from '../platform/app-env'
import { accountRoutes } from './routes/account'
import { annualReportRoutes } from './routes/annual-reports'
import { authorizeRoutes } from './routes/authorize'
import { cleanupRoutes } from './routes/cleanup'
import { collectionRoutes } from './routes/collections'
import { confirmationRoutes } from './routes/confirmation'
import { deletionRoutes } from './routes/deletion'
import { emailChangeRoutes } from './routes/email-change'
import { emailNotificationRoutes } from './routes/email-notifications'
import { embedRoutes } from './routes/embeds'
import { exploreRoutes } from './routes/explore'
import { importExportRoutes } from './routes/imports-exports'
import { inviteRoutes } from './routes/invites'
import { migrationRoutes } from './routes/migration'
import { passwordRoutes } from './routes/passwords'
import { preferenceRoutes } from './routes/preferences'
import { profileRoutes } from './routes/profiles'
import { publicRoutes } from './routes/public'
import { scheduledRoutes } from './routes/scheduled'
import { signInRoutes } from './routes/sign-in'
import { signUpRoutes } from './routes/sign-up'
import { tagRoutes } from './routes/tags'

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
    emailChangeRoutes,
    embedRoutes,
    exploreRoutes,
    inviteRoutes,
    emailNotificationRoutes,
    migrationRoutes,
    passwordRoutes,
    preferenceRoutes,
    profileRoutes,
    publicRoutes,
    scheduledRoutes,
    signInRoutes,
    signUpRoutes,
    tagRoutes,
    importExportRoutes,
  ]
  for (const part of parts) app.route('/', part())
  return app
}
