import type { MemberPage } from '../../member-pages/declaration'
import { accountPage } from './account'
import { appearancePage } from './appearance'
import { appsPage } from './apps'
import { archivePage } from './archive'
import { blocksPage } from './blocks'
import { browserPushPage } from './browser-push'
import { cleanupPage } from './cleanup'
import { deletionPage } from './deletion'
import { emailChangePage } from './email-change'
import { emailNotificationsPage } from './email-notifications'
import { featuredTagsPage } from './featured-tags'
import { filtersPage } from './filters'
import { followedTagsPage } from './followed-tags'
import { importsExportsPage } from './imports-exports'
import { invitesPage } from './invites'
import { listsPage } from './lists'
import { migrationPage } from './migration'
import { passwordChangePage } from './password-change'
import { preferencesPage } from './preferences'
import { profilePage } from './profile'
import { savedRepliesPage } from './saved-replies'
import { scheduledPage } from './scheduled'
import { shownLessPage } from './shown-less'
import { startPage } from './start'
import { strikesPage } from './strikes'
import { termsPage } from './terms'
import { twoFactorPage } from './two-factor'
import { whoNotifiesPage } from './who-notifies'

/** Pages of this folder, as `npm run pages` lists them. */
export const settingsPages: readonly MemberPage[] = [
  accountPage,
  appearancePage,
  appsPage,
  archivePage,
  blocksPage,
  browserPushPage,
  cleanupPage,
  deletionPage,
  emailChangePage,
  emailNotificationsPage,
  featuredTagsPage,
  filtersPage,
  followedTagsPage,
  importsExportsPage,
  invitesPage,
  listsPage,
  migrationPage,
  passwordChangePage,
  preferencesPage,
  profilePage,
  savedRepliesPage,
  scheduledPage,
  shownLessPage,
  startPage,
  strikesPage,
  termsPage,
  twoFactorPage,
  whoNotifiesPage,
]
