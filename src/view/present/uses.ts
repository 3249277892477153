import type { UsageHistory } from '../../contract/entities/usage-history'
import type { Use } from '../load/uses'

export function presentUses(history: readonly Use[]): UsageHistory {
  return history.map(({ day, accounts, uses }) => ({
    ...{ day: String(day.getTime() / 1000), accounts: String(accounts), uses: String(uses) },
  }))
}
