import type { UsageHistory } from '../../contract/entities/usage-history'
import type { DailyUsage } from '../load/usage'

export function presentUsage(history: readonly DailyUsage[]): UsageHistory {
  return history.map(({ day, accounts, uses }) => ({
    day: String(day.getTime() / 1000),
    accounts: String(accounts),
    uses: String(uses),
  }))
}
