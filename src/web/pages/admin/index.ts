import type { MemberPage } from '../../member-pages/declaration'
import { moderatedAccountPage } from './account'
import { accountDecisionPage } from './account-decision'
import { accountsPage } from './accounts'
import { announcementPage, announcementsPage } from './announcements'
import { appealsPage } from './appeals'
import { archiveImportsPage } from './archive-imports'
import { auditLogPage } from './audit-log'
import { backupsPage } from './backups'
import { blocklistPage } from './blocklist'
import { blocklistExceptionsPage } from './blocklist-exceptions'
import { blocklistsPage } from './blocklists'
import { brandingPage } from './branding'
import { canonicalEmailBlocksPage } from './canonical-email-blocks'
import { customEmojiPage } from './custom-emoji'
import { customEmojisPage } from './custom-emojis'
import { dashboardPage } from './dashboard'
import { domainAllowsPage } from './domain-allows'
import { domainLimitsPage } from './domain-limits'
import { emailDomainBlocksPage } from './email-domain-blocks'
import { moderatedInvitesPage } from './invites'
import { ipBlockPage, ipBlocksPage } from './ip-blocks'
import { operationPage } from './operation'
import { planPage } from './plan'
import { relaysPage } from './relays'
import { reportPage } from './report'
import { reportDecisionPage } from './report-decision'
import { reportsPage } from './reports'
import { rolePage, rolesPage } from './roles'
import { rulePage, rulesPage } from './rules'
import { serverPage } from './server'
import { serversPage } from './servers'
import { serverSettingsPage } from './settings'
import { severancesPage } from './severances'
import { termsPage } from './terms'
import { trendsPage } from './trends'
import { usernameBlockPage, usernameBlocksPage } from './username-blocks'
import { warningPresetPage, warningPresetsPage } from './warning-presets'
import { webhookDeliveriesPage } from './webhook-deliveries'
import { webhookPage, webhooksPage } from './webhooks'

/** Pages of this folder, as `npm run pages` lists them. */
export const adminPages: readonly MemberPage[] = [
  moderatedAccountPage,
  accountDecisionPage,
  accountsPage,
  announcementsPage,
  announcementPage,
  appealsPage,
  archiveImportsPage,
  auditLogPage,
  backupsPage,
  blocklistPage,
  blocklistExceptionsPage,
  blocklistsPage,
  brandingPage,
  canonicalEmailBlocksPage,
  customEmojiPage,
  customEmojisPage,
  dashboardPage,
  domainAllowsPage,
  domainLimitsPage,
  emailDomainBlocksPage,
  moderatedInvitesPage,
  ipBlocksPage,
  ipBlockPage,
  operationPage,
  planPage,
  relaysPage,
  reportPage,
  reportDecisionPage,
  reportsPage,
  rolesPage,
  rolePage,
  rulesPage,
  rulePage,
  serverPage,
  serversPage,
  serverSettingsPage,
  severancesPage,
  termsPage,
  trendsPage,
  usernameBlocksPage,
  usernameBlockPage,
  warningPresetsPage,
  warningPresetPage,
  webhookDeliveriesPage,
  webhooksPage,
  webhookPage,
]
