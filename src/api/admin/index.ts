import type { Endpoint } from '../endpoint'
import { adminAccountAccess, adminSignIn } from './account-access'
import { adminAccountLists } from './account-lists'
import { adminAccounts } from './accounts'
import { adminAnnouncements } from './announcements'
import { adminAppeals } from './appeals'
import { adminBlocklistFiles } from './blocklist-files'
import { adminBlocklists } from './blocklists'
import { adminCanonicalEmailBlocks } from './canonical-email-blocks'
import { adminCustomEmojis } from './custom-emojis'
import { adminDeadLetters } from './dead-letters'
import { adminDomainAllows } from './domain-allows'
import { adminDomainBlocks } from './domain-blocks'
import { adminDomainEffects } from './domain-effects'
import { adminEmailDomainBlocks } from './email-domain-blocks'
import { adminInvites } from './invites'
import { adminIpBlocks } from './ip-blocks'
import { adminMaintenance } from './maintenance'
import { adminMetrics } from './metrics'
import { adminNotes } from './notes'
import { adminEvidence, adminReports } from './reports'
import { adminRoles } from './roles'
import { adminRules } from './rules'
import {
  adminArchiveImports,
  adminAuditLog,
  adminDeliveryHealth,
  adminMedia,
  adminPruning,
  adminRelays,
  adminUsage,
} from './server'
import { adminSettings } from './settings'
import { adminStatusActions } from './status-actions'
import { adminTags } from './tags'
import { adminTerms } from './terms'
import { adminTrendLines } from './trend-lines'
import { adminTrends } from './trends'
import { adminUsernameBlocks } from './username-blocks'
import { adminWarningPresets } from './warning-presets'
import { adminAlerts, adminWebhooks } from './webhooks'

/** Every endpoint of administration: the documented ones, and those of `/api/fieldfare/v1/admin`. */
export const adminEndpoints: readonly Endpoint[] = [
  adminAccountAccess,
  adminAccountLists,
  adminAccounts,
  adminAlerts,
  adminAnnouncements,
  adminAppeals,
  adminArchiveImports,
  adminAuditLog,
  adminBlocklistFiles,
  adminBlocklists,
  adminCanonicalEmailBlocks,
  adminCustomEmojis,
  adminDeadLetters,
  adminDeliveryHealth,
  adminDomainAllows,
  adminDomainBlocks,
  adminDomainEffects,
  adminEmailDomainBlocks,
  adminEvidence,
  adminInvites,
  adminIpBlocks,
  adminMaintenance,
  adminMedia,
  adminNotes,
  adminMetrics,
  adminPruning,
  adminRelays,
  adminReports,
  adminRoles,
  adminRules,
  adminSettings,
  adminSignIn,
  adminStatusActions,
  adminTags,
  adminTerms,
  adminTrends,
  adminTrendLines,
  adminUsage,
  adminUsernameBlocks,
  adminWebhooks,
  adminWarningPresets,
].flat()
