import { ignored } from '../../domain/core/outcome'
import { receiveReport } from '../../domain/reports/receive'
import { readFlag } from '../vocab/flag'
import type { InboxHandler } from './handler'

/** Remote server reports local accounts to the moderators, unless its reports are rejected. */
export const flag: InboxHandler = async (ctx, signer, activity) => {
  if (signer.limit?.rejectReports === true) return ignored('reports of its server are rejected')
  const read = readFlag(activity)
  return read === null
    ? ignored('reports nothing')
    : receiveReport(ctx, signer, { ...read, uri: activity.id })
}
