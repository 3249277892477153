import type { Config } from '../../config'
import type { AccountWarning } from '../../contract/entities/account-warning'
import type { RelationshipSeveranceEvent } from '../../contract/entities/relationship'
import type { NotificationFacts } from '../load/notifications'
import type { SeveranceFacts, WarningFacts } from '../load/subjects'
import { accountEntity } from './account'
import { presentCollection } from './collection'
import { reportEntity } from './report'
import { appealState } from './strike'
import { timestamp } from './time'

/**
 * Presents the subject of a notification other than a status, under the keys that notifications and groups
 * share.
 */
export function presentSubject(config: Config, facts: NotificationFacts) {
  const { severance, warning, report, collection } = facts
  return {
    ...(severance === null ? {} : { event: presentSeverance(severance) }),
    // Warnings have no sender: the recipient is stored as sender, and is the target of the warning.
    ...(warning === null ? {} : { moderation_warning: presentWarning(config, warning, facts) }),
    ...(report === null
      ? {}
      : { report: reportEntity(report.report, accountEntity(config, report.target, null)) }),
    ...(collection === null ? {} : { collection: presentCollection(config, collection) }),
  }
}

function presentSeverance(facts: SeveranceFacts): RelationshipSeveranceEvent {
  const { id, type, target, followersCount, followingCount, createdAt, purged } = facts
  return {
    id: String(id),
    type,
    target_name: target,
    purged,
    followers_count: followersCount,
    following_count: followingCount,
    created_at: timestamp(createdAt),
  }
}

function presentWarning(
  config: Config,
  { id, action, text, statusIds, createdAt, appeal }: WarningFacts,
  { sender, role }: NotificationFacts,
): AccountWarning {
  return {
    id: String(id),
    action,
    text,
    status_ids: statusIds?.map(String) ?? null,
    target_account: accountEntity(config, sender, role),
    appeal: appeal === null ? null : { text: appeal.text, state: appealState(appeal) },
    created_at: timestamp(createdAt),
  }
}
