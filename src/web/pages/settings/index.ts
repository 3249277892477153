import type { MemberPage } from '../../member-pages/declaration'
import { accountPage } from './account'
import { cleanupPage } from './cleanup'
import { deletionPage } from './deletion'
import { emailChangePage } from './email-change'
import { emailNotificationsPage } from './email-notifications'
import { importsExportsPage } from './imports-exports'
import { invitesPage } from './invites'
import { migrationPage } from './migration'
import { passwordChangePage } from './password-change'
import { preferencesPage } from './preferences'
import { scheduledPage } from './scheduled'
import { startPage } from './start'
import { strikesPage } from './strikes'
import { termsPage } from './terms'
import { twoFactorPage } from './two-factor'

/** Pages of this folder, as `npm run pages` lists them. */
export const settingsPages: readonly MemberPage[] = [
  accountPage,
  cleanupPage,
  deletionPage,
  emailChangePage,
  emailNotificationsPage,
  importsExportsPage,
  invitesPage,
  migrationPage,
  passwordChangePage,
  preferencesPage,
  scheduledPage,
  startPage,
  strikesPage,
  termsPage,
  twoFactorPage,
]
