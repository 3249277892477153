import type { Task } from './cron/schedule'
import { hasDueAnnouncements, publishAnnouncements } from './domain/announcements/change'
import { backUp, backupTask } from './domain/backups/run'
import { isBackupDue } from './domain/backups/state'
import { cleanUpStatuses } from './domain/cleanup/clean-up'
import { hasDueCleanups } from './domain/cleanup/find-cleanup'
import { hasUnfinishedImportRemovals, resumeImportRemoval } from './domain/cleanup/remove-archive-import'
import { pruneRefreshes } from './domain/core/async-refreshes'
import { pruneAuditAddresses } from './domain/core/audit'
import { isRebuildDue, rebuildCachedLists } from './domain/core/cached-lists'
import { isPruneDue, pruneReceivedActivities } from './domain/core/received-activities'
import { pruneMessages } from './domain/crypto/upload'
import { pruneDeadLetters } from './domain/health/dead-letters'
import { isCronRecordDue, recordCronRun } from './domain/health/task-runs'
import { hasStalledImports, resumeStalledImports } from './domain/imports-exports/imports'
import { checkReleases, isReleaseCheckDue } from './domain/instance/releases'
import { prunePages } from './domain/links/prune'
import { listRemoval } from './domain/lists/remove-in-parts'
import { pruneUnattachedMedia } from './domain/media/expire'
import { isProbeDue, probePictureTypes } from './domain/media/picture-types'
import { countActiveUsers } from './domain/metrics/counters'
import { isDayPruneDue, pruneDays } from './domain/metrics/daily-counters'
import { checkDueLists, hasDueLists } from './domain/moderation/blocklists/fetch'
import { hasDueRemovals, removeDueAccounts } from './domain/moderation/delete-account'
import { hasStalledSuspensions, resumeSuspensions } from './domain/moderation/suspend-domain'
import { closePolls, hasEndedPolls } from './domain/polls/close'
import { pruneDatabase } from './domain/pruning/prune'
import { pruneAged } from './domain/pruning/prune-aged'
import { isOrphanRoundDue, pruneOrphanedFiles } from './domain/pruning/prune-orphans'
import { isPruningDue } from './domain/pruning/state'
import { expireMutes } from './domain/relationships/block'
import { hasDueEvidenceFiles, pruneEvidenceFiles } from './domain/reports/evidence-files'
import { hasStaleStatuses, indexStatuses } from './domain/search/index-statuses'
import { isResealingDue, resealSecrets } from './domain/secrets/reseal'
import { countServers } from './domain/servers/count'
import { isServerCountDue } from './domain/servers/find-uncounted'
import { pruneExpired } from './domain/sessions/expire'
import { pruneAttempts } from './domain/sign-up-blocks/email-domain-blocks'
import { pruneIpBlocks } from './domain/sign-up-blocks/ip-blocks'
import { hasDueArchives, maintainArchives } from './domain/statuses/archive-export/request-archive'
import { pruneArchiveImports } from './domain/statuses/archived/open-import'
import { pruneTombstones } from './domain/statuses/remote/receive-edit'
import { statusRemoval } from './domain/statuses/remove-in-parts'
import { hasDueScheduled, publishScheduled } from './domain/statuses/scheduled/schedule'
import { isPopularOutdated, updatePopularAccounts } from './domain/suggestions/compute'
import { isTrimDue, trimHomes, trimLists } from './domain/timelines/trim'
import { pruneTranslations } from './domain/translations/translate'
import { refreshTrends } from './domain/trends/refresh'
import { requestTrendReviews } from './domain/trends/review'
import { closeUnattendedRegistrations } from './domain/users/close-registrations'
import { checkAlerts } from './domain/webhooks/alerts/check'
import {
  hasLostDeliveries,
  pruneWebhookDeliveries,
  resumeWebhookDeliveries,
} from './domain/webhooks/deliveries'
import { hasDueEntries, sweepOutbox } from './jobs/outbox'

/** Periodic tasks. */
export const tasks: readonly Task[] = [
  {
    name: backupTask,
    everyMinutes: 1,
    statements: 24,
    isDue: isBackupDue,
    run: backUp,
  },
  {
    name: 'check-alerts',
    everyMinutes: 15,
    statements: 14,
    run: checkAlerts,
  },
  {
    name: 'check-blocklists',
    everyMinutes: 10,
    statements: 6,
    isDue: hasDueLists,
    run: checkDueLists,
  },
  {
    name: 'check-releases',
    everyMinutes: 60,
    statements: 1,
    isDue: (ctx) => isReleaseCheckDue(ctx),
    run: (ctx) => checkReleases(ctx),
  },
  {
    name: 'clean-up-statuses',
    everyMinutes: 1,
    statements: 28,
    isDue: hasDueCleanups,
    run: cleanUpStatuses,
  },
  {
    name: 'close-polls',
    everyMinutes: 1,
    statements: 24,
    isDue: hasEndedPolls,
    run: closePolls,
  },
  {
    name: 'close-registrations',
    everyMinutes: 60,
    statements: 10,
    run: closeUnattendedRegistrations,
  },
  {
    name: 'count-active-users',
    everyMinutes: 60,
    statements: 2,
    run: countActiveUsers,
  },
  {
    name: 'count-servers',
    everyMinutes: 1_440,
    statements: 7,
    isDue: isServerCountDue,
    run: countServers,
  },
  {
    name: 'expire-mutes',
    everyMinutes: 60,
    statements: 1,
    run: expireMutes,
  },
  {
    name: 'index-statuses',
    everyMinutes: 1,
    statements: 28,
    isDue: hasStaleStatuses,
    run: indexStatuses,
  },
  {
    name: 'probe-picture-types',
    everyMinutes: 10,
    statements: 1,
    isDue: isProbeDue,
    run: probePictureTypes,
  },
  {
    name: 'prune-aged',
    everyMinutes: 60,
    statements: 7,
    run: pruneAged,
  },
  {
    name: 'prune-archive-imports',
    everyMinutes: 60,
    statements: 3,
    run: pruneArchiveImports,
  },
  {
    name: 'prune-audit-addresses',
    everyMinutes: 60,
    statements: 1,
    run: pruneAuditAddresses,
  },
  {
    name: 'prune-database',
    everyMinutes: 1,
    statements: 16,
    isDue: isPruningDue,
    run: pruneDatabase,
  },
  {
    name: 'prune-dead-letters',
    everyMinutes: 60,
    statements: 1,
    run: pruneDeadLetters,
  },
  {
    name: 'prune-encrypted-messages',
    everyMinutes: 60,
    statements: 1,
    run: pruneMessages,
  },
  {
    name: 'prune-days',
    everyMinutes: 60,
    statements: 6,
    isDue: isDayPruneDue,
    run: pruneDays,
  },
  {
    name: 'prune-evidence-files',
    everyMinutes: 60,
    statements: 24,
    isDue: hasDueEvidenceFiles,
    run: pruneEvidenceFiles,
  },
  {
    name: 'prune-expired',
    everyMinutes: 60,
    statements: 11,
    run: pruneExpired,
  },
  {
    name: 'prune-ip-blocks',
    everyMinutes: 60,
    statements: 1,
    run: pruneIpBlocks,
  },
  {
    name: 'prune-link-pages',
    everyMinutes: 60,
    statements: 6,
    run: (ctx) => prunePages(ctx),
  },
  {
    name: 'prune-orphaned-files',
    everyMinutes: 60,
    statements: 4,
    isDue: isOrphanRoundDue,
    run: pruneOrphanedFiles,
  },
  {
    name: 'prune-received',
    everyMinutes: 10,
    statements: 4,
    isDue: isPruneDue,
    run: pruneReceivedActivities,
  },
  {
    name: 'prune-refreshes',
    everyMinutes: 60,
    statements: 1,
    run: pruneRefreshes,
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
    name: 'prune-translations',
    everyMinutes: 60,
    statements: 1,
    run: pruneTranslations,
  },
  {
    name: 'prune-unattached-media',
    everyMinutes: 60,
    statements: 4,
    run: pruneUnattachedMedia,
  },
  {
    name: 'prune-webhook-deliveries',
    everyMinutes: 60,
    statements: 1,
    run: pruneWebhookDeliveries,
  },
  {
    name: 'publish-announcements',
    everyMinutes: 1,
    statements: 10,
    isDue: hasDueAnnouncements,
    run: publishAnnouncements,
  },
  {
    name: 'publish-scheduled',
    everyMinutes: 1,
    statements: 28,
    isDue: hasDueScheduled,
    run: publishScheduled,
  },
  {
    name: 'rebuild-cached-lists',
    everyMinutes: 60,
    statements: 5,
    isDue: isRebuildDue,
    run: rebuildCachedLists,
  },
  {
    name: 'record-cron-run',
    everyMinutes: 1,
    statements: 1,
    isDue: isCronRecordDue,
    run: recordCronRun,
  },
  {
    name: 'refresh-trends',
    everyMinutes: 60,
    statements: 20,
    work: 'trends',
    run: refreshTrends,
  },
  {
    name: 'remove-due-accounts',
    everyMinutes: 10,
    statements: 28,
    isDue: hasDueRemovals,
    run: removeDueAccounts,
  },
  {
    name: 'resume-import-removals',
    everyMinutes: 60,
    statements: 1,
    onlyQueues: true,
    isDue: hasUnfinishedImportRemovals,
    run: resumeImportRemoval,
  },
  {
    name: 'resume-list-removals',
    ...listRemoval.resumption,
  },
  {
    name: 'resume-removals',
    ...statusRemoval.resumption,
  },
  {
    name: 'request-trend-reviews',
    everyMinutes: 60,
    statements: 12,
    work: 'trends',
    run: requestTrendReviews,
  },
  {
    name: 'resume-imports',
    everyMinutes: 10,
    statements: 4,
    isDue: hasStalledImports,
    run: resumeStalledImports,
  },
  {
    name: 'reseal-secrets',
    everyMinutes: 1,
    statements: 4,
    isDue: isResealingDue,
    run: resealSecrets,
  },
  {
    name: 'resume-suspensions',
    everyMinutes: 10,
    statements: 1,
    onlyQueues: true,
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
    name: 'tend-account-archives',
    everyMinutes: 10,
    statements: 8,
    isDue: hasDueArchives,
    run: maintainArchives,
  },
  {
    name: 'trim-homes',
    everyMinutes: 60,
    statements: 6,
    isDue: () => isTrimDue('homes'),
    run: trimHomes,
  },
  {
    name: 'trim-lists',
    everyMinutes: 60,
    statements: 5,
    isDue: () => isTrimDue('lists'),
    run: trimLists,
  },
  {
    name: 'update-popular-accounts',
    everyMinutes: 60,
    statements: 3,
    isDue: isPopularOutdated,
    run: updatePopularAccounts,
  },
]
