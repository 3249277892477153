import { accountLists } from './accounts/lists'
import { accountReads } from './accounts/read'
import { accountRelationships } from './accounts/relationships'
import { apps } from './apps'
import { blocks } from './blocks'
import { emails } from './emails'
import { endorsements } from './endorsements'
import type { Endpoint } from './endpoint'
import { followRequests } from './follow-requests'
import { media } from './media'
import { mutes } from './mutes'
import { notifications } from './notifications'
import { oauth } from './oauth'
import { signUps } from './sign-up'
import { timelines } from './timelines'

/** Every endpoint of the API: the only place where they are registered. */
export const endpoints: readonly Endpoint[] = [
  accountLists,
  accountReads,
  accountRelationships,
  apps,
  blocks,
  emails,
  endorsements,
  followRequests,
  media,
  mutes,
  notifications,
  oauth,
  signUps,
  timelines,
].flat()
