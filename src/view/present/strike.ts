import type { Config } from '../../config'
import type { AdminAppeal, AdminStrike, Strike } from '../../contract/entities/strike'
import type { accountWarnings, rules } from '../../db/schema'
import { NotFound } from '../../errors'
import { presentCollectionEvidence, presentOwnEvidence } from './evidence'
import { presentRules } from './instance'
import { timestamp, timestampOrNull } from './time'

type EvidenceFacts = Parameters<typeof presentOwnEvidence>[1]
type CollectionFacts = Parameters<typeof presentCollectionEvidence>[1]
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
    ...shared(strike, rules),
    evidence: evidence.filter(isOwn).map((one) => presentOwnEvidence(config, one)),
    collections: collections.filter(isOwn).map((one) => presentCollectionEvidence(config, one)),
  }
}

/** Presents a strike to moderators. */
export function presentAdminStrike(strike: StrikeFacts, rules: readonly RuleFacts[]): AdminStrike {
  return {
    ...shared(strike, rules),
    target_account_id: String(strike.targetAccountId),
    target_acct: strike.targetAcct,
    account_id: idOrNull(strike.accountId),
    report_id: idOrNull(strike.reportId),
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
    decided_by_account_id: idOrNull(decidedByAccountId),
    strike: presentAdminStrike(strike, rules),
  }
}

function shared(strike: StrikeFacts, rules: readonly RuleFacts[]) {
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

function idOrNull(id: number | null): string | null {
  return id === null ? null : String(id)
}
