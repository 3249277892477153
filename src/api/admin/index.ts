import type { Endpoint } from '../endpoint'
import { adminAccountAccess } from './account-access'
import { adminAccountLists } from './account-lists'
import { adminAccounts } from './accounts'
import { adminAlerts } from './alerts'
import { adminAnnouncements } from './announcements'
import { adminAppeals } from './appeals'
import { adminArchiveImports } from './archive-imports'
import { adminAuditLog } from './audit-log'
import { adminBlocklistFiles } from './blocklist-files'
import { adminBlocklists } from './blocklists'
import { adminCanonicalEmailBlocks } from './canonical-email-blocks'
import { adminCustomEmojis } from './custom-emojis'
import { adminDeadLetters } from './dead-letters'
import { adminDeliveryHealth } from './delivery-health'
import { adminDomainAllows } from './domain-allows'
import { adminDomainBlocks } from './domain-blocks'
import { adminDomainEffects } from './domain-effects'
import { adminEmailDomainBlocks } from './email-domain-blocks'
import { adminEvidence } from './evidence'
import { adminInvites } from './invites'
import { adminIpBlocks } from './ip-blocks'
import { adminMaintenance } from './maintenance'
import { adminMedia } from './media'
import { adminMetrics } from './metrics'
import { adminNotes } from './notes'
import { adminPruning } from './pruning'
import { adminRelays } from './relays'
import { adminReports } from './reports'
import { adminRoles } from './roles'
import { adminRules } from './rules'
import { adminSettings } from './settings'
import { adminSignIn } from './sign-in'
import { adminStatusActions } from './status-actions'
import { adminTags } from './tags'
import { adminTerms } from './terms'
import { adminTrendLines } from './trend-lines'
import { adminTrends } from './trends'
import { adminUsage } from './usage'
import { adminUsernameBlocks } from './username-blocks'
import { adminWarningPresets } from './warning-presets'
import { adminWebhooks } from './webhooks'

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
