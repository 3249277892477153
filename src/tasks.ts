import type { Task } from './cron/schedule'
import { publishAnnouncements } from './domain/announcements/publish'
import { cleanUpStatuses } from './domain/cleanup/clean-up'
import { pruneRefreshes } from './domain/core/async-refreshes'
import { pruneAuditAddresses } from './domain/core/audit'
import { rebuildCachedLists } from './domain/core/cached-lists'
import { pruneReceivedActivities } from './domain/core/received-activities'
import { pruneMessages } from './domain/crypto/prune'
import { resumeStalledImports } from './domain/imports-exports/imports'
import { pruneAttempts } from './domain/instance/blocks/email-domain-blocks'
import { pruneIpBlocks } from './domain/instance/blocks/ip-blocks'
import { countActiveUsers } from './domain/instance/count-active'
import { countServers } from './domain/instance/count-servers'
import { prunePages } from './domain/links/prune'
import { pruneUnattachedMedia } from './domain/media/expire'
import { checkDueLists } from './domain/moderation/blocklists/fetch'
import { removeDueAccounts } from './domain/moderation/delete-account'
import { resumeSuspensions } from './domain/moderation/suspend-domain'
import { closePolls } from './domain/polls/close'
import { expireMutes } from './domain/relationships/mute'
import { pruneEvidenceFiles } from './domain/reports/evidence-files'
import { indexStatuses } from './domain/search/index-statuses'
import { pruneExpired } from './domain/sessions/expire'
import { pruneTombstones } from './domain/statuses/prune-tombstones'
import { publishScheduled } from './domain/statuses/scheduled/publish-scheduled'
import { updatePopularAccounts } from './domain/suggestions/update-popular'
import { trimHomes, trimLists } from './domain/timelines/trim'
import { pruneTranslations } from './domain/translations/translate'
import { refreshTrends } from './domain/trends/refresh'
import { requestTrendReviews } from './domain/trends/request-reviews'
import { closeUnattendedRegistrations } from './domain/users/close-registrations'
import { pruneWebhookDeliveries, resumeWebhookDeliveries } from './domain/webhooks/deliveries'
import { sweepOutbox } from './jobs/outbox'

/** Periodic tasks. */
export const tasks: readonly Task[] = [
  { name: 'check-blocklists', everyMinutes: 10, run: checkDueLists },
  { name: 'clean-up-statuses', everyMinutes: 5, run: cleanUpStatuses },
  { name: 'close-registrations', everyMinutes: 60, run: closeUnattendedRegistrations },
  { name: 'close-polls', everyMinutes: 1, run: closePolls },
  { name: 'count-servers', everyMinutes: 60, run: countServers },
  { name: 'expire-mutes', everyMinutes: 5, run: expireMutes },
  { name: 'find-popular', everyMinutes: 60, run: updatePopularAccounts },
  { name: 'forget-audit-addresses', everyMinutes: 60, run: pruneAuditAddresses },
  { name: 'forget-encrypted', everyMinutes: 60, run: pruneMessages },
  { name: 'forget-expired', everyMinutes: 10, run: pruneExpired },
  { name: 'forget-pages', everyMinutes: 60, run: prunePages },
  { name: 'forget-refreshes', everyMinutes: 10, run: pruneRefreshes },
  { name: 'forget-translations', everyMinutes: 60, run: pruneTranslations },
  { name: 'index-statuses', everyMinutes: 1, run: indexStatuses },
  { name: 'keep-lists', everyMinutes: 60, run: rebuildCachedLists },
  { name: 'prune-evidence-files', everyMinutes: 60, run: pruneEvidenceFiles },
  { name: 'prune-ip-blocks', everyMinutes: 10, run: pruneIpBlocks },
  { name: 'prune-received', everyMinutes: 10, run: pruneReceivedActivities },
  { name: 'prune-sign-up-attempts', everyMinutes: 60, run: pruneAttempts },
  { name: 'prune-tombstones', everyMinutes: 10, run: pruneTombstones },
  { name: 'prune-webhook-deliveries', everyMinutes: 60, run: pruneWebhookDeliveries },
  { name: 'publish-scheduled', everyMinutes: 1, run: publishScheduled },
  { name: 'refresh-trends', everyMinutes: 10, run: refreshTrends },
  { name: 'recount-active', everyMinutes: 60, run: countActiveUsers },
  { name: 'remove-due-accounts', everyMinutes: 10, run: removeDueAccounts },
  { name: 'remove-loose-media', everyMinutes: 10, run: pruneUnattachedMedia },
  { name: 'request-trend-reviews', everyMinutes: 10, run: requestTrendReviews },
  { name: 'resume-suspensions', everyMinutes: 10, run: resumeSuspensions },
  { name: 'resume-webhook-deliveries', everyMinutes: 5, run: resumeWebhookDeliveries },
  { name: 'sweep-outbox', everyMinutes: 1, run: sweepOutbox },
  { name: 'tell-announcements', everyMinutes: 1, run: publishAnnouncements },
  { name: 'tend-imports', everyMinutes: 10, run: resumeStalledImports },
  { name: 'trim-homes', everyMinutes: 10, run: trimHomes },
  { name: 'trim-lists', everyMinutes: 10, run: trimLists },
]
