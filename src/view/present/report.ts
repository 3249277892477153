import type { Config } from '../../config'
import { collectionUrl, statusUrl } from '../../contract/addresses'
import type { Account } from '../../contract/entities/account'
import type { CollectionEvidence, Evidence } from '../../contract/entities/admin/evidence'
import type { AdminAppeal, AdminStrike, Report, Strike } from '../../contract/entities/report'
import type { accountWarnings, collectionEvidence, moderationEvidence, reports, rules } from '../../db/schema'
import type { Attachment } from '../../db/values'
import { NotFound } from '../../errors'
import { escapeHtml } from '../../lib/html'
import { idText } from '../../lib/ids'
import { copyKey } from '../../ports/files'
import type { AccountBundle } from '../load/accounts'
import { presentOnlyAccount } from './account'
import { presentRules } from './instance'
import { presentAttachment } from './media'
import { timestamp, timestampOrNull } from './time'

/** Presents a report to its author. `target` was loaded for the reported account. */
export function presentReport(
  config: Config,
  report: typeof reports.$inferSelect,
  target: AccountBundle,
): Report {
  return reportEntity(report, presentOnlyAccount(config, target))
}

/** Presents a report with the reported account already presented. */
export function reportEntity(report: typeof reports.$inferSelect, target: Account): Report {
  const { id, category, comment, forwarded, statusIds, ruleIds, collectionIds, actionTakenAt } = report
  return {
    id: String(id),
    category,
    comment,
    forwarded,
    action_taken: actionTakenAt !== null,
    action_taken_at: timestampOrNull(actionTakenAt),
    created_at: timestamp(report.createdAt),
    status_ids: statusIds.map(String),
    collection_ids: collectionIds.map(String),
    rule_ids: ruleIds.length === 0 ? null : ruleIds.map(String),
    target_account: target,
  }
}

type RuleFacts = typeof rules.$inferSelect

interface AppealFacts {
  readonly id: number
  readonly text: string
  readonly createdAt: Date
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  readonly decidedByAccountId: number | null
}

export interface StrikeFacts extends Readonly<typeof accountWarnings.$inferSelect> {
  readonly appeal: AppealFacts | null
  readonly targetAcct: string
  readonly ruleIds: readonly number[]
  readonly appealableUntil: Date
  readonly isAppealable: boolean
}

/** State of an appeal. */
export function appealState({
  approvedAt,
  rejectedAt,
}: Readonly<Record<'approvedAt' | 'rejectedAt', Date | number | null>>) {
  if (approvedAt !== null) return 'approved' as const
  return rejectedAt === null ? ('pending' as const) : ('rejected' as const)
}

/** Presents a strike to its target, with the evidence that belongs to it. */
export function presentStrike(
  config: Config,
  strike: StrikeFacts,
  {
    evidence,
    collections,
    rules,
  }: {
    readonly evidence: readonly EvidenceFacts[]
    readonly collections: readonly CollectionFacts[]
    readonly rules: readonly RuleFacts[]
  },
): Strike {
  const isOwn = ({ strikeId }: { readonly strikeId: number | null }) => strikeId === strike.id
  return {
    ...strikeBase(strike, rules),
    evidence: evidence.filter(isOwn).map((one) => presentOwnEvidence(config, one)),
    collections: collections.filter(isOwn).map((one) => presentCollectionEvidence(config, one)),
  }
}

/** Presents a strike to moderators. */
export function presentAdminStrike(strike: StrikeFacts, rules: readonly RuleFacts[]): AdminStrike {
  return {
    ...strikeBase(strike, rules),
    target_account_id: String(strike.targetAccountId),
    target_acct: strike.targetAcct,
    account_id: idText(strike.accountId),
    report_id: idText(strike.reportId),
  }
}

/** Presents the appeal of a strike to moderators; `NotFound` without one. */
export function presentAdminAppeal(
  strike: StrikeFacts | undefined,
  rules: readonly RuleFacts[],
): AdminAppeal {
  if (strike?.appeal == null) throw new NotFound()
  const { id, text, createdAt, decidedByAccountId } = strike.appeal
  return {
    id: String(id),
    text,
    state: appealState(strike.appeal),
    created_at: timestamp(createdAt),
    decided_at: decidedAt(strike.appeal),
    overruled_at: timestampOrNull(strike.overruledAt),
    decided_by_account_id: idText(decidedByAccountId),
    strike: presentAdminStrike(strike, rules),
  }
}

function strikeBase(strike: StrikeFacts, rules: readonly RuleFacts[]) {
  const { appeal, ruleIds } = strike
  return {
    id: String(strike.id),
    action: strike.action,
    text: strike.text,
    status_ids: (strike.statusIds ?? []).map(String),
    rules: presentRules(rules.filter(({ id }) => ruleIds.includes(id))),
    created_at: timestamp(strike.createdAt),
    overruled_at: timestampOrNull(strike.overruledAt),
    appeal:
      appeal === null
        ? null
        : {
            text: appeal.text,
            state: appealState(appeal),
            created_at: timestamp(appeal.createdAt),
            decided_at: decidedAt(appeal),
            overruled_at: timestampOrNull(strike.overruledAt),
          },
    appealable_until: timestamp(strike.appealableUntil),
    appealable: strike.isAppealable,
  }
}

function decidedAt({ approvedAt, rejectedAt }: AppealFacts): string | null {
  return timestampOrNull(approvedAt ?? rejectedAt)
}

type EvidenceFacts = typeof moderationEvidence.$inferSelect & {
  readonly isDeleted: boolean
  readonly fileKeys: readonly string[]
}

/** Presents a snapshot of a status to moderators: kept files below `filesAt`, also once the status was deleted. */
export function presentEvidence(
  config: Config,
  evidence: EvidenceFacts,
  filesAt = '/api/fieldfare/v1/admin/evidence',
): Evidence {
  const { id, fileKeys } = evidence
  return {
    ...evidenceBase(config, evidence),
    media_attachments: attachmentsOf(evidence, (attachment) => {
      const path = `${config.origin}${filesAt}/${id}/media/${attachment.id}`
      const [isKept, isSmallKept] = keysOf(attachment).map((key) => fileKeys.includes(key))
      const open = publicUrls(config, evidence, attachment)
      return {
        url: isKept === true ? path : open.url,
        preview_url: isSmallKept === true ? `${path}?small=true` : open.preview_url,
      }
    }),
  }
}

/** Keys of the kept file, and of its preview. */
function keysOf({ id, type, file, preview }: Attachment): readonly [string, string] {
  if ('key' in file) return [file.key, preview !== null && 'key' in preview ? preview.key : file.key]
  return [copyKey(id), type === 'image' ? copyKey(id) : copyKey(id, 'small')]
}

/** Presents a snapshot of a status to its author: files as long as the status shows them. */
function presentOwnEvidence(config: Config, evidence: EvidenceFacts): Evidence {
  const urlsOf = (attachment: Attachment) => publicUrls(config, evidence, attachment)
  return { ...evidenceBase(config, evidence), media_attachments: attachmentsOf(evidence, urlsOf) }
}

type Urls = Readonly<Record<'url' | 'preview_url', string | null>>

/** Null for a local file of a deleted status. */
function publicUrls(config: Config, { snapshot, isDeleted }: EvidenceFacts, attachment: Attachment): Urls {
  if (isDeleted && 'key' in attachment.file) return { url: null, preview_url: null }
  const { url, preview_url } = presentAttachment(config, attachment, snapshot.accountId)
  return { url, preview_url }
}

function attachmentsOf(
  { snapshot }: EvidenceFacts,
  urlsOf: (attachment: Attachment) => Urls,
): Evidence['media_attachments'] {
  return snapshot.attachments.map((attachment) => ({
    id: String(attachment.id),
    type: attachment.type,
    ...urlsOf(attachment),
    description: attachment.description,
  }))
}

function evidenceBase(config: Config, evidence: EvidenceFacts) {
  const { statusId, snapshot, isDeleted, createdAt } = evidence
  return {
    id: String(evidence.id),
    status_id: String(statusId),
    account_id: String(snapshot.accountId),
    deleted: isDeleted,
    url: snapshot.url ?? snapshot.uri ?? statusUrl(config.origin, snapshot.username, statusId),
    visibility: snapshot.visibility,
    content: snapshot.content,
    spoiler_text: snapshot.spoilerText,
    sensitive: snapshot.sensitive === 1,
    language: snapshot.language,
    in_reply_to_id: snapshot.inReplyToId === null ? null : String(snapshot.inReplyToId),
    poll_options: snapshot.pollOptions === null ? null : [...snapshot.pollOptions],
    created_at: timestamp(new Date(snapshot.createdAt)),
    edited_at: snapshot.editedAt === null ? null : timestamp(new Date(snapshot.editedAt)),
    kept_at: timestamp(createdAt),
  }
}

type CollectionFacts = typeof collectionEvidence.$inferSelect & { readonly isDeleted: boolean }

/** Presents a snapshot of a collection, to moderators and to its owner. */
export function presentCollectionEvidence(
  { origin }: Pick<Config, 'origin'>,
  { id, collectionId, snapshot, isDeleted, createdAt }: CollectionFacts,
): CollectionEvidence {
  const { accountId, uri, url, name, description, sensitive, tag, members } = snapshot
  return {
    id: String(id),
    collection_id: String(collectionId),
    account_id: String(accountId),
    deleted: isDeleted,
    url: url ?? uri ?? collectionUrl(origin, collectionId),
    name,
    // As in the collection itself: HTML of remote ones.
    description: uri === null ? escapeHtml(description) : description,
    sensitive: sensitive === 1,
    tag,
    members: [...members],
    created_at: timestamp(new Date(snapshot.createdAt)),
    kept_at: timestamp(createdAt),
  }
}
