import type { Task } from './cron/schedule'
import { hasDueAnnouncements, publishAnnouncements } from './domain/announcements/publish'
import { cleanUpStatuses } from './domain/cleanup/clean-up'
import { hasDueCleanups } from './domain/cleanup/find-cleanup'
import { pruneRefreshes } from './domain/core/async-refreshes'
import { pruneAuditAddresses } from './domain/core/audit'
import { isRebuildDue, rebuildCachedLists } from './domain/core/cached-lists'
import { isPruneDue, pruneReceivedActivities } from './domain/core/received-activities'
import { pruneMessages } from './domain/crypto/prune'
import { hasStalledImports, resumeStalledImports } from './domain/imports-exports/imports'
import { pruneAttempts } from './domain/instance/blocks/email-domain-blocks'
import { pruneIpBlocks } from './domain/instance/blocks/ip-blocks'
import { countActiveUsers } from './domain/instance/count-active'
import { countServers } from './domain/instance/count-servers'
import { prunePages } from './domain/links/prune'
import { pruneUnattachedMedia } from './domain/media/expire'
import { checkDueLists, hasDueLists } from './domain/moderation/blocklists/fetch'
import { hasDueRemovals, removeDueAccounts } from './domain/moderation/delete-account'
import { hasStalledSuspensions, resumeSuspensions } from './domain/moderation/suspend-domain'
import { closePolls, hasEndedPolls } from './domain/polls/close'
import { expireMutes } from './domain/relationships/mute'
import { hasDueEvidenceFiles, pruneEvidenceFiles } from './domain/reports/evidence-files'
import { hasStaleStatuses, indexStatuses } from './domain/search/index-statuses'
import { pruneExpired } from './domain/sessions/expire'
import { pruneTombstones } from './domain/statuses/prune-tombstones'
import { hasDueScheduled, publishScheduled } from './domain/statuses/scheduled/publish-scheduled'
import { isPopularOutdated, updatePopularAccounts } from './domain/suggestions/update-popular'
import { isTrimDue, trimHomes, trimLists } from './domain/timelines/trim'
import { pruneTranslations } from './domain/translations/translate'
import { refreshTrends } from './domain/trends/refresh'
import { requestTrendReviews } from './domain/trends/request-reviews'
import { closeUnattendedRegistrations } from './domain/users/close-registrations'
import {
  hasLostDeliveries,
  pruneWebhookDeliveries,
  resumeWebhookDeliveries,
} from './domain/webhooks/deliveries'
import { hasDueEntries, sweepOutbox } from './jobs/outbox'

/** Periodic tasks. */
export const tasks: readonly Task[] = [
  {
    name: 'check-blocklists',
    everyMinutes: 10,
    statements: 6,
    isDue: hasDueLists,
    run: checkDueLists,
  },
  {
    name: 'clean-up-statuses',
    everyMinutes: 1,
    statements: 28,
    isDue: hasDueCleanups,
    run: cleanUpStatuses,
  },
  {
    name: 'close-registrations',
    everyMinutes: 60,
    statements: 10,
    run: closeUnattendedRegistrations,
  },
  {
    name: 'close-polls',
    everyMinutes: 1,
    statements: 24,
    isDue: hasEndedPolls,
    run: closePolls,
  },
  {
    name: 'count-servers',
    everyMinutes: 60,
    statements: 2,
    run: countServers,
  },
  {
    name: 'expire-mutes',
    everyMinutes: 60,
    statements: 1,
    run: expireMutes,
  },
  {
    name: 'find-popular',
    everyMinutes: 60,
    statements: 3,
    isDue: isPopularOutdated,
    run: updatePopularAccounts,
  },
  {
    name: 'forget-audit-addresses',
    everyMinutes: 60,
    statements: 1,
    run: pruneAuditAddresses,
  },
  {
    name: 'forget-encrypted',
    everyMinutes: 60,
    statements: 1,
    run: pruneMessages,
  },
  {
    name: 'forget-expired',
    everyMinutes: 60,
    statements: 10,
    run: pruneExpired,
  },
  {
    name: 'forget-pages',
    everyMinutes: 60,
    statements: 3,
    run: prunePages,
  },
  {
    name: 'forget-refreshes',
    everyMinutes: 60,
    statements: 1,
    run: pruneRefreshes,
  },
  {
    name: 'forget-translations',
    everyMinutes: 60,
    statements: 1,
    run: pruneTranslations,
  },
  {
    name: 'index-statuses',
    everyMinutes: 1,
    statements: 28,
    isDue: hasStaleStatuses,
    run: indexStatuses,
  },
  {
    name: 'keep-lists',
    everyMinutes: 60,
    statements: 13,
    isDue: isRebuildDue,
    run: rebuildCachedLists,
  },
  {
    name: 'prune-evidence-files',
    everyMinutes: 60,
    statements: 24,
    isDue: hasDueEvidenceFiles,
    run: pruneEvidenceFiles,
  },
  {
    name: 'prune-ip-blocks',
    everyMinutes: 60,
    statements: 1,
    run: pruneIpBlocks,
  },
  {
    name: 'prune-received',
    everyMinutes: 10,
    statements: 4,
    isDue: isPruneDue,
    run: pruneReceivedActivities,
  },
  {
    name: 'prune-sign-up-attempts',
    everyMinutes: 60,
    statements: 1,
    run: pruneAttempts,
  },
  {
    name: 'prune-tombstones',
    everyMinutes: 60,
    statements: 2,
    run: pruneTombstones,
  },
  {
    name: 'prune-webhook-deliveries',
    everyMinutes: 60,
    statements: 1,
    run: pruneWebhookDeliveries,
  },
  {
    name: 'publish-scheduled',
    everyMinutes: 1,
    statements: 28,
    isDue: hasDueScheduled,
    run: publishScheduled,
  },
  {
    name: 'refresh-trends',
    everyMinutes: 60,
    statements: 20,
    run: refreshTrends,
  },
  {
    name: 'recount-active',
    everyMinutes: 60,
    statements: 2,
    run: countActiveUsers,
  },
  {
    name: 'remove-due-accounts',
    everyMinutes: 10,
    statements: 28,
    isDue: hasDueRemovals,
    run: removeDueAccounts,
  },
  {
    name: 'remove-loose-media',
    everyMinutes: 60,
    statements: 4,
    run: pruneUnattachedMedia,
  },
  {
    name: 'request-trend-reviews',
    everyMinutes: 60,
    statements: 12,
    run: requestTrendReviews,
  },
  {
    name: 'resume-suspensions',
    everyMinutes: 10,
    statements: 1,
    isDue: hasStalledSuspensions,
    run: resumeSuspensions,
  },
  {
    name: 'resume-webhook-deliveries',
    everyMinutes: 5,
    statements: 3,
    isDue: hasLostDeliveries,
    run: resumeWebhookDeliveries,
  },
  {
    name: 'sweep-outbox',
    everyMinutes: 1,
    statements: 28,
    isDue: hasDueEntries,
    run: sweepOutbox,
  },
  {
    name: 'tell-announcements',
    everyMinutes: 1,
    statements: 10,
    isDue: hasDueAnnouncements,
    run: publishAnnouncements,
  },
  {
    name: 'tend-imports',
    everyMinutes: 10,
    statements: 4,
    isDue: hasStalledImports,
    run: resumeStalledImports,
  },
  {
    name: 'trim-homes',
    everyMinutes: 60,
    statements: 14,
    isDue: () => isTrimDue('homes'),
    run: trimHomes,
  },
  {
    name: 'trim-lists',
    everyMinutes: 60,
    statements: 14,
    isDue: () => isTrimDue('lists'),
    run: trimLists,
  },
]
