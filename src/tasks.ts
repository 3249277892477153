import type { Task } from './cron/schedule'
import { tellAnnouncements } from './domain/announcements/tell'
import { cleanUpStatuses } from './domain/cleanup/clean-up'
import { forgetRefreshes } from './domain/core/async-refreshes'
import { keepLists } from './domain/core/kept-lists'
import { pruneReceived } from './domain/core/received-activities'
import { forgetMessages } from './domain/crypto/forget'
import { tendImports } from './domain/imports-exports/imports'
import { recountActive } from './domain/instance/recount'
import { forgetPages } from './domain/links/prune'
import { removeLooseMedia } from './domain/media/expire'
import { resumeSuspensions } from './domain/moderation/suspend-domain'
import { closePolls } from './domain/polls/close'
import { expireMutes } from './domain/relationships/mute'
import { indexStatuses } from './domain/search/index-statuses'
import { forgetExpired } from './domain/sessions/expire'
import { pruneTombstones } from './domain/statuses/prune-tombstones'
import { publishScheduled } from './domain/statuses/scheduled/publish-scheduled'
import { findPopular } from './domain/suggestions/popular'
import { trimHomes, trimLists } from './domain/timelines/trim'
import { forgetTranslations } from './domain/translations/translate'
import { refreshTrends } from './domain/trends/refresh'
import { sweepOutbox } from './jobs/outbox'

/** Everything that happens by the clock. */
export const tasks: readonly Task[] = [
  { name: 'clean-up-statuses', everyMinutes: 5, run: cleanUpStatuses },
  { name: 'close-polls', everyMinutes: 1, run: closePolls },
  { name: 'expire-mutes', everyMinutes: 5, run: expireMutes },
  { name: 'find-popular', everyMinutes: 60, run: findPopular },
  { name: 'forget-encrypted', everyMinutes: 60, run: forgetMessages },
  { name: 'forget-expired', everyMinutes: 10, run: forgetExpired },
  { name: 'forget-pages', everyMinutes: 60, run: forgetPages },
  { name: 'forget-refreshes', everyMinutes: 10, run: forgetRefreshes },
  { name: 'forget-translations', everyMinutes: 60, run: forgetTranslations },
  { name: 'index-statuses', everyMinutes: 1, run: indexStatuses },
  { name: 'keep-lists', everyMinutes: 60, run: keepLists },
  { name: 'prune-received', everyMinutes: 10, run: pruneReceived },
  { name: 'prune-tombstones', everyMinutes: 10, run: pruneTombstones },
  { name: 'publish-scheduled', everyMinutes: 1, run: publishScheduled },
  { name: 'refresh-trends', everyMinutes: 10, run: refreshTrends },
  { name: 'recount-active', everyMinutes: 60, run: recountActive },
  { name: 'remove-loose-media', everyMinutes: 10, run: removeLooseMedia },
  { name: 'resume-suspensions', everyMinutes: 10, run: resumeSuspensions },
  { name: 'sweep-outbox', everyMinutes: 1, run: sweepOutbox },
  { name: 'tell-announcements', everyMinutes: 1, run: tellAnnouncements },
  { name: 'tend-imports', everyMinutes: 10, run: tendImports },
  { name: 'trim-homes', everyMinutes: 10, run: trimHomes },
  { name: 'trim-lists', everyMinutes: 10, run: trimLists },
]
