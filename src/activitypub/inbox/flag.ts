import { ignored } from '../../domain/core/outcome'
import { receiveReport } from '../../domain/reports/receive'
import { readFlag } from '../vocab/flag'
import type { InboxHandler } from './handler'

/** Another server reports people of this one to its moderators, unless they want no reports from there. */
export const flag: InboxHandler = async (ctx, signer, activity) => {
  if (signer.limit?.rejectReports === true) return ignored('reports of its server are not wanted')
  const read = readFlag(activity)
  return read === null
    ? ignored('reports nothing')
    : receiveReport(ctx, signer, { ...read, uri: activity.id })
}
