import type { Endpoint } from '../endpoint'
import { adminAccountLists } from './account-lists'
import { adminAccounts } from './accounts'
import { adminAnnouncements } from './announcements'
import { adminAppeals } from './appeals'
import { adminAuditLog } from './audit-log'
import { adminBlocklistFiles } from './blocklist-files'
import { adminBlocklists } from './blocklists'
import { adminCanonicalEmailBlocks } from './canonical-email-blocks'
import { adminCustomEmojis } from './custom-emojis'
import { adminDomainAllows } from './domain-allows'
import { adminDomainBlocks } from './domain-blocks'
import { adminDomainEffects } from './domain-effects'
import { adminEmailDomainBlocks } from './email-domain-blocks'
import { adminEvidence } from './evidence'
import { adminInvites } from './invites'
import { adminIpBlocks } from './ip-blocks'
import { adminMetrics } from './metrics'
import { adminNotes } from './notes'
import { adminRelays } from './relays'
import { adminReports } from './reports'
import { adminRoles } from './roles'
import { adminRules } from './rules'
import { adminSettings } from './settings'
import { adminStatusActions } from './status-actions'
import { adminTags } from './tags'
import { adminTerms } from './terms'
import { adminTrends } from './trends'
import { adminUsernameBlocks } from './username-blocks'
import { adminWarningPresets } from './warning-presets'
import { adminWebhooks } from './webhooks'

/** Every endpoint of administration: the documented ones, and those of `/api/fieldfare/v1/admin`. */
export const adminEndpoints: readonly Endpoint[] = [
  adminAccountLists,
  adminAccounts,
  adminAnnouncements,
  adminAppeals,
  adminAuditLog,
  adminBlocklistFiles,
  adminBlocklists,
  adminCanonicalEmailBlocks,
  adminCustomEmojis,
  adminDomainAllows,
  adminDomainBlocks,
  adminDomainEffects,
  adminEmailDomainBlocks,
  adminEvidence,
  adminInvites,
  adminIpBlocks,
  adminNotes,
  adminMetrics,
  adminRelays,
  adminReports,
  adminRoles,
  adminRules,
  adminSettings,
  adminStatusActions,
  adminTags,
  adminTerms,
  adminTrends,
  adminUsernameBlocks,
  adminWebhooks,
  adminWarningPresets,
].flat()
