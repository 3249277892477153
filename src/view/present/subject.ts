import type { Config } from '../../config'
import type { AccountWarning } from '../../contract/entities/account-warning'
import type { RelationshipSeveranceEvent } from '../../contract/entities/relationship'
import type { NotificationFacts } from '../load/notifications'
import type { SeveranceFacts, WarningFacts } from '../load/subjects'
import { accountEntity } from './account'
import { presentCollection } from './collection'
import { reportEntity } from './report'
import { timestamp } from './time'

/** What a notification is about beside a status, under the keys that notifications and groups of them share. */
export function presentSubject(config: Config, facts: NotificationFacts) {
  const { severance, warning, report, collection } = facts
  return {
    ...(severance === null ? {} : { event: presentSeverance(severance) }),
    // Warnings come from nobody: the recipient stands for the sender, and is whom the warning is about.
    ...(warning === null ? {} : { moderation_warning: presentWarning(config, warning, facts) }),
    ...(report === null
      ? {}
      : { report: reportEntity(report.report, accountEntity(config, report.target, null)) }),
    ...(collection === null ? {} : { collection: presentCollection(config, collection) }),
  }
}

function presentSeverance(facts: SeveranceFacts): RelationshipSeveranceEvent {
  const { id, type, target, followersCount, followingCount, createdAt } = facts
  return {
    ...{ id: String(id), type, target_name: target },
    // What was lost is kept as long as those who lost it are here.
    purged: false,
    ...{ followers_count: followersCount, following_count: followingCount },
    created_at: timestamp(createdAt),
  }
}

function presentWarning(
  config: Config,
  { id, action, text, statusIds, createdAt }: WarningFacts,
  { sender, role }: NotificationFacts,
): AccountWarning {
  return {
    ...{ id: String(id), action, text },
    status_ids: statusIds?.map(String) ?? null,
    target_account: accountEntity(config, sender, role),
    appeal: null,
    created_at: timestamp(createdAt),
  }
}
